import { text } from 'node:stream/consumers'
import { listenLocally } from './listen-locally.ts'

/** A flag: one value for all, or a value by the targeting key. */
export type StandInFlag = boolean | ((targetingKey: string) => unknown)

/** A server of the OpenFeature Remote Evaluation Protocol, written after its OpenAPI document: POST /ofrep/v1/evaluate/flags/{key}. */
export async function startOfrepServer(token: string) {
  const flags = new Map<string, StandInFlag>()
  const state = { isAway: false }
  const asked: { readonly flag: string; readonly context: Readonly<Record<string, unknown>> }[] = []

  const listening = await listenLocally(async (request, response) => {
    const respond = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const key = decodeURIComponent(/^\/ofrep\/v1\/evaluate\/flags\/([^/]+)$/.exec(request.url ?? '')?.[1] ?? '')
    if (request.method !== 'POST' || key === '') return void response.writeHead(405).end()
    if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end()
    if (state.isAway) return void response.writeHead(429, { 'retry-after': '1' }).end()
    const { context } = JSON.parse(await text(request))
    asked.push({ flag: key, context })
    const flag = flags.get(key)
    if (flag === undefined) return void respond(404, { key, errorCode: 'FLAG_NOT_FOUND' })
    const value = typeof flag === 'boolean' ? flag : flag(String(context.targetingKey))
    respond(200, { key, reason: 'TARGETING_MATCH', variant: String(value), value })
  })
  return { url: listening.url, flags, state, asked, [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose]() }
}
