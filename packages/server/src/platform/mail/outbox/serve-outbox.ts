import { Fault } from '@millrace/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { html, type Html } from '#platform/html.ts'
import type { ServedGroup } from '#platform/http/http-server.ts'
import { consumeRate } from '#platform/http/rate-limit/consume-rate.ts'
import { isLoopback } from '#platform/net/loopback.ts'
import type { DevOutbox, OutboxMessage } from './outbox-store.ts'

/** Styles of mails are inline; nothing else is loaded and no script runs. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Serves the outbox of development at `/dev/outbox`: as a page for browsers, and as JSON for every other client.
 *
 * Its messages sign in, so it responds only to direct requests from this machine: a name that leads to this machine, and a proxy on it, get 404.
 */
export function servedOutbox(outbox: Pick<DevOutbox, 'list'>): ServedGroup {
  return {
    operations: {},
    mountOn(app: FastifyInstance, mounting) {
      app.get('/dev/outbox', {
        onRequest: async (request, reply) => {
          const exceeded = await consumeRate(mounting, mounting.policies.default, request, reply)
          if (exceeded !== undefined) throw exceeded
          if (!isDirect(request)) throw new Fault('route_not_found')
        },
        handler: async (request, reply) => {
          const messages = await outbox.list()
          if (request.headers.accept?.includes('text/html') !== true) return reply.send({ data: messages.map(viewOf) })
          return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(pageOf(messages).text)
        },
      })
    },
  }
}

const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const

function isDirect({ headers, ip, raw }: FastifyRequest): boolean {
  const host = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? ''
  const isCrossSite = headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site'
  return (
    isLoopback(host) &&
    isLoopback(ip) &&
    isLoopback(raw.socket.remoteAddress ?? ip) &&
    !isCrossSite &&
    forwarding.every((name) => headers[name] === undefined)
  )
}

function viewOf({ html: markup, createdAt, ...message }: OutboxMessage) {
  return { ...message, html: markup ?? null, links: linksOf(message.text), createdAt: createdAt.toISOString() }
}

function linksOf(text: string): readonly string[] {
  return text.match(/https?:\/\/\S+/g) ?? []
}

function pageOf(messages: readonly OutboxMessage[]): Html {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Outbox</title>
<style>body{font:16px/1.5 system-ui;max-width:760px;margin:32px auto;padding:0 16px}article{border:1px solid #d0d7de;border-radius:8px;padding:16px;margin:16px 0}
pre{white-space:pre-wrap;overflow-wrap:anywhere}h2{font-size:18px;margin:0}small{color:#57606a}</style></head><body>
<h1>Outbox</h1><p>No mail server is configured, so these messages were kept and not sent. They disappear after a day.
Set <code>MILLRACE_SMTP_URL</code> to send mails.</p>
${messages.length === 0 ? html`<p>No messages yet.</p>` : undefined}
${messages.map(articleOf)}
</body></html>
`
}

function articleOf({ channel, recipient, subject, text, createdAt }: OutboxMessage): Html {
  const pieces = text.split(/(https?:\/\/\S+)/)
  return html`<article><h2 dir="auto">${subject}</h2>
<small>${channel === 'mail' ? 'Mail' : 'Text message'} to <bdi>${recipient}</bdi>, ${createdAt.toISOString()}</small>
<pre dir="auto">${pieces.map((piece, index) => (index % 2 === 1 ? html`<a href="${piece}">${piece}</a>` : piece))}</pre></article>
`
}
