# syntax=docker/dockerfile:1
#
# The controller as one bundle on a base without shell and package manager.
#
#   docker build -t kilter:0.1.0 .
#
# The tags below move with security fixes. Where a build must be repeatable, give both as digests:
#   docker build --build-arg BUILD_IMAGE=node@sha256:… --build-arg RUNTIME_IMAGE=gcr.io/distroless/nodejs26-debian13@sha256:… .
#
# Whoever has to prove how it was built adds `--provenance=mode=max` under buildx. What others wrote of the program is told
# beside it: /kilter/sbom.cdx.json for scanners, which see no packages in a bundle, and /kilter/NOTICES.txt.
ARG BUILD_IMAGE=node:26-slim
ARG RUNTIME_IMAGE=gcr.io/distroless/nodejs26-debian13:nonroot

FROM ${BUILD_IMAGE} AS build
WORKDIR /kilter
COPY package.json package-lock.json ./
# No dependency needs to run code of its own to be installed, but esbuild, which finds its binary without.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts scripts
COPY src src
COPY imports imports
RUN npm run bundle

FROM ${RUNTIME_IMAGE}
ENV NODE_ENV=production
COPY --from=build /kilter/build/bundle /kilter
# A number, because the kubelet cannot see from a name that it is not root's.
USER 65532:65532
# The Deployment's `args` follow.
ENTRYPOINT ["/nodejs/bin/node", "/kilter/controller.mjs"]
