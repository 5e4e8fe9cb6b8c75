# SPDX-License-Identifier: Apache-2.0
#
# For shells to read before they call ./mvnw: ". .mvn/jdk.sh". Maven 3.9 runs on any Java that it is given, of the build's
# plugins some need 17, and code and tests a JDK of 21 or newer, which Maven looks for in some folders only. Where all that is
# there, nothing changes; else JAVA_HOME becomes a JDK of 21 or newer, wherever it is on the machine.
# JDK_ROOT stands before the absolute paths that are looked at: for tests.

# "21 /home/of/java" of a java command; nothing of one that does not run. Asks the command, which may be a link or a script.
jdk_described() (
  properties=$("$1" -XshowSettings:properties -version 2>&1 </dev/null) || exit 0
  version=$(printf '%s\n' "$properties" | sed -n 's/^ *java\.specification\.version = \([0-9]*\).*/\1/p')
  home=$(printf '%s\n' "$properties" | sed -n 's/^ *java\.home = //p')
  printf '%s %s\n' "${version:-0}" "$home"
)

# The first of the folders that is a JDK of 21 or newer and runs; nothing if none is.
jdk_first() (
  for home in "$@"; do
    if [ -n "$home" ] && [ -x "$home/bin/javac" ]; then
      described=$(jdk_described "$home/bin/java")
      if [ "${described%% *}" -ge 21 ] 2>/dev/null; then
        printf '%s\n' "$home"
        exit
      fi
    fi
  done
)

# Of those that Maven finds by itself.
jdk_of_maven() {
  jdk_first "${JDK_ROOT-}"/usr/lib/jvm/* "${JDK_ROOT-}"/usr/java/* "${JDK_ROOT-}"/usr/jdk/* "${JDK_ROOT-}"/opt/java/* \
    "${JDK_ROOT-}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    "${HOME-}"/Library/Java/JavaVirtualMachines/*/Contents/Home "${HOME-}"/.sdkman/candidates/java/* "${HOME-}"/.jdks/* \
    "${HOME-}"/.gradle/jdks/* "${HOME-}"/.m2/jdks/* "${HOME-}"/.jenv/versions/* "${HOME-}"/.jbang/cache/jdks/* \
    "${HOME-}"/.jabba/jdk/*
}

# Of those elsewhere.
jdk_of_others() {
  jdk_first "${JDK_ROOT-}"/opt/* "${JDK_ROOT-}"/usr/lib64/jvm/* "${JDK_ROOT-}"/usr/local/* \
    "${JDK_ROOT-}"/usr/local/lib/jvm/* "${JDK_ROOT-}"/usr/local/java/* "${JDK_ROOT-}"/snap/openjdk/current/jdk \
    "${JDK_ROOT-}"/opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    "${JDK_ROOT-}"/usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    "${HOME-}"/.asdf/installs/java/* "${HOME-}"/.local/share/mise/installs/java/* "${HOME-}"/.gradle/jdks/*/* \
    "${HOME-}"/.gradle/jdks/*/Contents/Home "${HOME-}"/.gradle/jdks/*/*/Contents/Home \
    "${HOME-}"/.jdks/*/Contents/Home "${HOME-}"/.jabba/jdk/*/Contents/Home "${HOME-}"/jdk* "${HOME-}"/.local/jdk*
}

# Of those that variables such as JAVA_HOME and JAVA_HOME_21_X64 name, and of the folders of PATH.
jdk_of_environment() (
  set -f
  IFS='
'
  jdk_first ${JAVA_HOME-} $(env | sed -n 's/^J[AD][VK][A-Z0-9_]*HOME[A-Z0-9_]*=//p')
  IFS=:
  for folder in ${PATH-}; do
    if [ -x "$folder/javac" ]; then
      described=$(jdk_described "$folder/java")
      IFS=
      jdk_first "${described#* }"
    fi
  done
)

jdk_current=$(jdk_described "${JAVA_HOME:+$JAVA_HOME/bin/}java")
jdk_version=${jdk_current%% *}
if [ "${jdk_version:-0}" -ge 21 ] && [ -x "${jdk_current#* }/bin/javac" ]; then
  : # Maven's own Java is one.
elif [ "${jdk_version:-0}" -ge 17 ] && { [ -f "${HOME-}/.m2/toolchains.xml" ] || [ -n "$(jdk_of_maven)" ]; }; then
  : # Maven runs, and finds one, or has been told of one.
else
  jdk_found=$(jdk_of_environment | sed -n 1p)
  jdk_found=${jdk_found:-$(jdk_of_maven)}
  jdk_found=${jdk_found:-$(jdk_of_others)}
  if [ -z "$jdk_found" ]; then
    echo "No JDK of version 21 or newer was found: not in JAVA_HOME, PATH, /usr/lib/jvm, /opt, ~/.sdkman, ~/.jdks or the like." >&2
    echo "Install one, or set JAVA_HOME to the folder of one." >&2
    exit 1
  fi
  JAVA_HOME=$jdk_found
  export JAVA_HOME
  echo "Java: $JAVA_HOME" >&2
fi
