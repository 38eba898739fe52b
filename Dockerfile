# BoardZero in a container: `docker compose up page`, see compose.yaml.
FROM node:22-bookworm-slim AS page
WORKDIR /src/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm install --no-save
COPY web ./
RUN npm run build

FROM python:3.12-slim-bookworm AS wheel
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
COPY --from=page /src/src/boardzero/server/static src/boardzero/server/static
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels \
    -C cmake.define.BOARDZERO_NATIVE=OFF -C wheel.py-api=cp312 .

FROM python:3.12-slim-bookworm
ARG EXTRAS=web
RUN useradd --create-home --uid 1000 player && mkdir /data && chown player /data
COPY --from=wheel /wheels /wheels
# hadolint ignore=DL3042
RUN --mount=type=cache,target=/root/.cache/pip \
    pip install "$(ls /wheels/*.whl)[${EXTRAS}]"
USER 1000
WORKDIR /data
ENV BOARDZERO_HOME=/data BOARDZERO_RUNS=/data/runs
VOLUME /data
EXPOSE 8000
ENTRYPOINT ["boardzero"]
CMD ["serve", "--host", "0.0.0.0"]
