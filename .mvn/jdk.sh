# SPDX-License-Identifier: Apache-2.0
#
# For shells to read before they call ./mvnw: ". .mvn/jdk.sh". Sets JAVA_HOME to a JDK of version 21 or newer, unless java is one
# already. Maven does not run on a Java before 17, and finds a newer JDK only in some folders.
# JDK_ROOT stands before absolute paths: for tests.

# The home of a java command, if that is a JDK of version 21 or newer and runs. Else nothing.
jdk_home() (
  properties=$("$1" -XshowSettings:properties -version 2>&1 </dev/null) || exit 0
  version=$(printf '%s\n' "$properties" | sed -n 's/^ *java\.specification\.version = \([0-9]*\).*/\1/p')
  home=$(printf '%s\n' "$properties" | sed -n 's/^ *java\.home = //p')
  if [ "${version:-0}" -ge 21 ] && [ -x "$home/bin/javac" ]; then
    printf '%s\n' "$home"
  fi
)

# The java commands of the machine: those of variables such as JAVA_HOME_21_X64, of PATH, of usual folders.
jdk_commands() (
  env | sed -n 's|^J[AD][VK][A-Z0-9_]*HOME[A-Z0-9_]*=\(.*\)|\1/bin/java|p'
  set -f
  IFS=:
  for folder in ${PATH-}; do
    printf '%s\n' "$folder/java"
  done
  unset IFS
  set +f
  find -L "${JDK_ROOT-}/usr/lib/jvm" "${JDK_ROOT-}/usr/lib64/jvm" "${JDK_ROOT-}/usr/java" "${JDK_ROOT-}/usr/jdk" \
    "${JDK_ROOT-}/usr/local" "${JDK_ROOT-}/opt" "${JDK_ROOT-}/opt/homebrew/opt"/openjdk* "${JDK_ROOT-}/snap/openjdk/current" \
    "${JDK_ROOT-}/Library/Java" "${HOME-}/Library/Java" "${HOME-}/.sdkman/candidates" "${HOME-}/.jdks" "${HOME-}/.gradle/jdks" \
    "${HOME-}/.m2/jdks" "${HOME-}/.asdf/installs" "${HOME-}/.local" "${HOME-}/.jenv/versions" "${HOME-}/.jbang/cache/jdks" \
    "${HOME-}/.jabba/jdk" "${HOME-}"/jdk* -maxdepth 7 -path '*/bin/javac' 2>/dev/null | sed 's/c$//'
)

if [ -z "$(jdk_home "${JAVA_HOME:+$JAVA_HOME/bin/}java")" ]; then
  # "|| :", as the commands after the first JDK have nobody to read them.
  jdk_found=$(jdk_commands | while read -r jdk_command; do
    jdk_found=$(jdk_home "$jdk_command")
    if [ -n "$jdk_found" ]; then
      printf '%s\n' "$jdk_found"
      break
    fi
  done) || :
  if [ -z "$jdk_found" ]; then
    echo "No JDK of version 21 or newer was found: not in JAVA_HOME, PATH, /usr/lib/jvm, /opt, ~/.sdkman, ~/.jdks or the like." >&2
    echo "Install one, or set JAVA_HOME to the folder of one." >&2
    exit 1
  fi
  JAVA_HOME=$jdk_found
  export JAVA_HOME
  echo "Java: $JAVA_HOME" >&2
fi
