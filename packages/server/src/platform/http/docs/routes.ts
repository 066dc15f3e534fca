import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type OperationGroup, toOpenApi } from '@millrace/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { compress, encodingOf } from '#platform/http/response/send.ts'
import { referencePage } from './reference-page.ts'

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface Page {
  readonly url: string
  readonly contentType: string
  readonly make: () => string | Promise<string>
}

export interface DocsDeps {
  readonly groups: Readonly<Record<string, OperationGroup>>
  /** Counts the request and sets its rate headers, and throws when there were too many. */
  readonly admit: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

/** Serves the published description and the reference page, each made and compressed on first use and then kept. */
export function serveDocs(app: FastifyInstance, { groups, admit }: DocsDeps): void {
  const json = once(() => JSON.stringify(toOpenApi(groups)))
  const pages: readonly Page[] = [
    { url: '/api/v1/openapi.json', contentType: 'application/json; charset=utf-8', make: json },
    { url: '/openapi.json', contentType: 'application/json; charset=utf-8', make: json },
    { url: '/docs', contentType: 'text/html; charset=utf-8', make: () => referencePage(toOpenApi(groups), groups) },
    { url: '/docs/reference.css', contentType: 'text/css; charset=utf-8', make: () => asset('reference.css') },
    { url: '/docs/reference.js', contentType: 'text/javascript; charset=utf-8', make: () => asset('reference.js') },
  ]
  for (const page of pages) servePage(app, page, admit)
}

function asset(name: string): Promise<string> {
  return readFile(fileURLToPath(import.meta.resolve(`#assets/${name}`)), 'utf8')
}

function servePage(app: FastifyInstance, page: Page, admit: DocsDeps['admit']): void {
  const plain = once(async () => Buffer.from(await page.make()))
  const packed = {
    br: once(async () => compress('br', await plain())),
    gzip: once(async () => compress('gzip', await plain())),
  }
  app.get(page.url, {
    onRequest: admit,
    handler: async (request, reply) => {
      const encoding = encodingOf(request.headers['accept-encoding'])
      if (encoding !== undefined) reply.header('content-encoding', encoding)
      reply
        .type(page.contentType)
        .header('cache-control', 'public, max-age=300')
        .header('content-security-policy', pagePolicy)
        .header('vary', 'accept-encoding')
      return reply.send(await (encoding === undefined ? plain : packed[encoding])())
    },
  })
}

/** Makes a value when it is first asked for; a failure is not kept. */
function once<T>(make: () => T | Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () =>
    (made ??= Promise.resolve()
      .then(make)
      .catch((error: unknown) => {
        made = undefined
        throw error
      }))
}
