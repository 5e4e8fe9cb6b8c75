# SPDX-License-Identifier: Apache-2.0
ARG RELEASE=3.8.0
FROM opensearchproject/opensearch:${RELEASE}
ARG ZIP=opensearch-simhash-1.0.0.0.zip
COPY --chown=1000:1000 target/releases/${ZIP} /tmp/
RUN /usr/share/opensearch/bin/opensearch-plugin install --batch file:///tmp/${ZIP} && rm /tmp/${ZIP}
