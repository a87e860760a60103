# Serves lists at http://localhost:8080.
#
#     docker build -t refreshable .
#     docker run -p 8080:8080 refreshable                                  the demos
#     docker run -p 8080:8080 -v "$PWD/my-data:/data" refreshable          lists of your own, in my-data/lists.yaml
#
# What is in /data outlives the container: lists.yaml is yours, store is ours.

FROM swift:6.3-bookworm AS build
# Debian's security updates matter more here than versions that are written down.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        libcurl4-openssl-dev libpq-dev libsqlite3-dev libssl-dev libuv1-dev libwebsockets-dev libwebsockets-evlib-uv pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
# The binary leaves the cache in the same step, as the next one does not see it.
RUN --mount=type=cache,target=/source/.build \
    swift build -c release --static-swift-stdlib --product refreshable \
    && cp "$(swift build -c release --static-swift-stdlib --show-bin-path)/refreshable" /refreshable \
    && strip /refreshable

FROM debian:bookworm-slim
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ca-certificates libcurl4 libpq5 libsqlite3-0 libssl3 libstdc++6 libuv1 libwebsockets17 libwebsockets-evlib-uv zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin refreshable \
    && install -d -o refreshable -g refreshable /data
COPY --from=build /refreshable /usr/local/bin/refreshable
COPY Examples/demos.yaml /usr/local/share/refreshable/demos.yaml

USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
ENV REFRESHABLE_HOST=0.0.0.0 REFRESHABLE_DATA=/data/store
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s CMD ["refreshable", "health"]
# Without /data/lists.yaml the demos are served. Arguments after the image's name are those of `refreshable serve`.
ENTRYPOINT ["/bin/sh", "-c", "[ -f lists.yaml ] || export REFRESHABLE_LISTS=${REFRESHABLE_LISTS:-/usr/local/share/refreshable/demos.yaml}; exec refreshable serve \"$@\"", "refreshable"]
