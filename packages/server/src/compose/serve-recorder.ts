import { readFile } from 'node:fs/promises'
import { CapturedEvent, Fault } from '@millrace/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html, type Html } from '#platform/html.ts'
import type { Mounting } from '#platform/http/mount.ts'
import { consumeRate } from '#platform/http/rate-limit/consume-rate.ts'
import { readJson, type ServedGroup } from '#platform/http/index.ts'
import * as z from 'zod'
import type { RecorderLinks } from '#modules/livecapture/index.ts'

export interface RecorderParts {
  /** Undefined for an unknown token. */
  readonly find: (
    token: string,
  ) => Promise<{ readonly id: string; readonly accountId: string; readonly name: string; readonly maskInputs: boolean } | undefined>
  readonly add: (session: { readonly id: string; readonly accountId: string }, events: Events) => Promise<{ readonly accepted: number }>
  readonly linksOf: (token: string) => RecorderLinks
}

const Batch = z.strictObject({ events: z.array(CapturedEvent).min(1).max(500) })
type Events = z.output<typeof Batch>['events']

const bodyLimit = 1024 * 1024
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const source = new URL(import.meta.resolve('#assets/recorder.js'))

/** Serves the recorder script, the page with its bookmarklet, and the address to which the script sends events from pages of any origin. */
export function servedRecorder({ find, add, linksOf }: RecorderParts): ServedGroup {
  return {
    operations: {},
    mountOn(app, mounting) {
      const onRequest = (request: FastifyRequest, reply: FastifyReply) => admit(mounting, request, reply)
      const sessionOf = async (request: FastifyRequest) => {
        const session = await find(tokenOf(request))
        if (session === undefined) throw new Fault('not_found', { detail: 'There is no such capture session.' })
        return session
      }
      app.get('/capture/recorder.js', {
        onRequest,
        handler: async (_request, reply) =>
          reply
            .headers({ 'cross-origin-resource-policy': 'cross-origin', 'cache-control': 'public, max-age=300' })
            .type('text/javascript; charset=utf-8')
            .send(await readFile(source, 'utf8')),
      })
      app.get('/capture/:token/page', {
        onRequest,
        handler: async (request, reply) => {
          const session = await sessionOf(request)
          const page = pageOf(session.name, linksOf(tokenOf(request)))
          return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page.text)
        },
      })
      app.post('/capture/:token', {
        onRequest,
        bodyLimit,
        handler: async (request, reply) => {
          const session = await sessionOf(request)
          const batch = Batch.safeParse(readJson(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)))
          if (!batch.success)
            throw new Fault('request_invalid', {
              errors: batch.error.issues.slice(0, 10).map(({ path, message }) => ({ pointer: `/${path.join('/')}`, detail: message })),
            })
          const { accepted } = await add(session, batch.data.events)
          return reply.send({ accepted, maskInputs: session.maskInputs })
        },
      })
    },
  }
}

/** Pages of every origin may read the responses: the token in the address is the only credential. */
async function admit(mounting: Mounting, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('access-control-allow-origin', '*')
  const exceeded = await consumeRate(mounting, mounting.policies.default, request, reply)
  if (exceeded !== undefined) throw exceeded
}

function tokenOf({ params }: FastifyRequest): string {
  return typeof params === 'object' && params !== null && 'token' in params ? String(params.token) : ''
}

function pageOf(name: string, { bookmarklet, script, endpoint }: RecorderLinks): Html {
  const tag = `<script src="${script}" data-endpoint="${endpoint}"></script>`
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Capture: ${name}</title>
<style>body{font:16px/1.5 system-ui;max-width:640px;margin:32px auto;padding:0 16px}a.go{display:inline-block;padding:10px 20px;background:#1f5fbf;color:#fff;border-radius:6px;text-decoration:none}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f4f5f7;padding:12px;border-radius:6px}</style></head><body>
<h1>${name}</h1>
<ol><li>Drag this link to the bookmarks bar: <a class="go" href="${bookmarklet}">Record with Millrace</a></li>
<li>Open the page that you want to record, and click the bookmark there. Click it again on every page that loads anew.</li>
<li>Work as usual, then stop the session.</li></ol>
<p>Where you can change the pages themselves, this line records without the bookmark:</p><pre>${tag}</pre>
<p>Typed values stay in the browser unless the session was started without masking. Passwords always stay there.</p>
</body></html>
`
}
