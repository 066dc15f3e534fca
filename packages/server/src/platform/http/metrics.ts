import { createHash, timingSafeEqual } from 'node:crypto'
import { Fault } from '@millrace/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Upper bounds of the buckets of response times, in seconds. */
const bucketSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

interface Series {
  readonly operation: string
  readonly status: string
  count: number
  seconds: number
  readonly buckets: number[]
}

/** Counts the responses of this process by operation and class of status. */
export interface RequestMetrics {
  record(operation: string, status: number, seconds: number): void
  /** In the text format of Prometheus. */
  text(): string
}

export function createRequestMetrics(): RequestMetrics {
  const all = new Map<string, Series>()
  return {
    record(operation, status, seconds) {
      const statusClass = `${Math.floor(status / 100)}xx`
      const key = `${operation} ${statusClass}`
      let series = all.get(key)
      if (series === undefined) {
        series = { operation, status: statusClass, count: 0, seconds: 0, buckets: bucketSeconds.map(() => 0) }
        all.set(key, series)
      }
      series.count += 1
      series.seconds += seconds
      for (const [index, bound] of bucketSeconds.entries()) if (seconds <= bound) series.buckets[index] = (series.buckets[index] ?? 0) + 1
    },

    text() {
      const name = 'millrace_http_request_duration_seconds'
      const lines = [`# HELP ${name} Time from the head of a request to the end of its response.`, `# TYPE ${name} histogram`]
      for (const { operation, status, count, seconds, buckets } of all.values()) {
        const labels = `operation="${operation}",status="${status}"`
        for (const [index, bound] of bucketSeconds.entries()) lines.push(`${name}_bucket{${labels},le="${bound}"} ${buckets[index] ?? 0}`)
        lines.push(`${name}_bucket{${labels},le="+Inf"} ${count}`, `${name}_sum{${labels}} ${seconds}`, `${name}_count{${labels}} ${count}`)
      }
      return `${lines.join('\n')}\n`
    },
  }
}

export interface MetricsDeps {
  readonly requests: RequestMetrics
  /** Figures of the process and the installation, in the text format of Prometheus. */
  readonly figures: () => Promise<string>
  /** The token that a monitor sends as `Authorization: Bearer`; without one every caller may read. */
  readonly token: string | undefined
  /** Counts the request and sets its rate headers, and throws when there were too many. */
  readonly admit: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

/** Serves `GET /metrics` in the text format of Prometheus, and counts every response. */
export function serveMetrics(app: FastifyInstance, { requests, figures, token, admit }: MetricsDeps): void {
  app.addHook('onResponse', async (request, reply) => {
    requests.record(request.routeOptions.config?.operation ?? 'other', reply.statusCode, reply.elapsedTime / 1000)
  })
  app.get('/metrics', {
    onRequest: admit,
    handler: async (request, reply) => {
      if (token !== undefined && !sameText(request.headers.authorization ?? '', `Bearer ${token}`)) throw new Fault('unauthenticated')
      const text = `${await figures()}${requests.text()}`
      return reply.type('text/plain; version=0.0.4; charset=utf-8').header('cache-control', 'no-store').send(text)
    },
  })
}

/** Compares in a time that does not depend on where the texts differ. */
function sameText(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
