# Confirmo in one container: web, worker and embedded queue, SQLite in /data.
# `docker build -t confirmo . && docker run --env-file .env -v confirmo:/data -p 8000:8000 confirmo`
FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_ROOT_USER_ACTION=ignore

RUN useradd --create-home --uid 10001 confirmo && install -d -o confirmo -g confirmo /data

WORKDIR /src
COPY requirements.lock ./
RUN pip install --require-hashes --requirement requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY jobs jobs
RUN pip install --no-index --no-deps --no-build-isolation .

ENV HOST=0.0.0.0 \
    PORT=8000 \
    DATABASE_URL=sqlite+aiosqlite:////data/bot.db

WORKDIR /data
VOLUME /data
USER confirmo
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/livez', timeout=2)"]
CMD ["confirmo", "serve"]
