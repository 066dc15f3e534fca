import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OperationGroup } from '@millrace/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodingOf } from '#platform/http/response/send.ts'
import { type BootData, createWebPage } from './web-page.ts'

export interface WebConfig {
  /** Folder of the built interface; it may appear later. */
  readonly directory: string
  readonly boot: () => BootData
}

/** Serves the interface at the paths that no operation has. */
export interface Web {
  /** Whether the interface responds to a request that no route matches. */
  takes(request: FastifyRequest): boolean
  respond(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

/** First segments of paths at which only programs call, beside those of the operations. */
const reserved = ['.well-known', 'api', 'auth', 'billing', 'dev', 'docs', 'health', 'hooks', 'mcp', 'openapi.json', 'scim', 'webhooks']

/** A worker has the policy of its file: it loads its parts, and sends no request. */
const assetPolicy = "default-src 'none'; script-src 'self'; frame-ancestors 'none'"
const assetPath = /^\/assets\/([\w-][\w.-]*\.(\w+))$/
const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
}
/** Their names contain a digest of their content. */
const immutable = 'public, max-age=31536000, immutable'

export function createWeb({ directory, boot }: WebConfig, groups: readonly OperationGroup[]): Web {
  const page = createWebPage(directory)
  const programs = new Set(reserved)
  for (const group of groups) for (const { path } of Object.values(group)) programs.add(firstSegment(path))
  const isAsset = (url: string) => assetPath.test(pathOf(url))
  return {
    takes({ method, url, headers: { accept = '*/*' } }) {
      if (method !== 'GET' && method !== 'HEAD') return false
      if (isAsset(url) || (accept.includes('text/html') && !programs.has(firstSegment(url)))) return true
      // Monitors, load balancers and curl ask for the first page without a type.
      return pathOf(url) === '/' && accept.includes('*/*')
    },
    respond: async (request, reply) => {
      const asset = assetPath.exec(pathOf(request.url))
      if (asset !== null) return sendAsset(directory, asset[1] ?? '', asset[2] ?? '', request, reply)
      const { cookie, 'accept-language': language } = request.headers
      const { status, html, policy } = await page(boot(), {
        ...(cookie === undefined ? {} : { cookie }),
        ...(language === undefined ? {} : { language }),
      })
      return reply
        .code(status)
        .headers({ 'content-security-policy': policy, 'cache-control': 'no-cache', 'referrer-policy': 'same-origin' })
        .type('text/html; charset=utf-8')
        .send(html)
    },
  }
}

async function sendAsset(
  directory: string,
  name: string,
  extension: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const path = join(directory, 'assets', name)
  const encoding = encodingOf(request.headers['accept-encoding'])
  const packed = encoding === undefined ? undefined : await readFile(`${path}.${encoding === 'br' ? 'br' : 'gz'}`).catch(() => undefined)
  const content = packed ?? (await readFile(path).catch(() => undefined))
  if (content === undefined || types[extension] === undefined)
    return reply.code(404).type('text/plain; charset=utf-8').send('There is no such file.\n')
  if (packed !== undefined && encoding !== undefined) reply.header('content-encoding', encoding)
  return reply
    .headers({ 'cache-control': immutable, 'content-security-policy': assetPolicy, vary: 'accept-encoding' })
    .type(types[extension])
    .send(content)
}

function pathOf(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? ''
}

function firstSegment(url: string): string {
  return pathOf(url).split('/', 2)[1] ?? ''
}
