# Mendel with what it needs to run: the go command, a C compiler for the race detector, and
# git. Mount the module: docker run --rm -v "$PWD:/module" mendel check ./...
FROM golang:1.26 AS build
WORKDIR /mendel
COPY . .
RUN go install ./cmd/mendel

FROM golang:1.26
# The module that is mounted may belong to another user, from whom git takes nothing else.
ENV GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=*
COPY --from=build /go/bin/mendel /usr/local/bin/mendel
WORKDIR /module
ENTRYPOINT ["mendel"]
