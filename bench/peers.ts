import { fiveSets } from './definitions.ts'
import { openEngineOnly } from './engine-only.ts'
import { load, type LoadResult } from './load.ts'
import { describeLoad, describeMachine } from './machine.ts'
import type { Peer } from './peer.ts'
import { openDbos } from './peer-dbos.ts'
import { peerByHttp } from './peer-http.ts'
import { openNodeRed } from './peer-node-red.ts'
import { openRestate } from './peer-restate.ts'
import { startBenchServer } from './server.ts'
import { showMs, showRate, spread } from './spread.ts'
import { startThrowawayDatabase } from './throwaway-database.ts'

/**
 * `npm run bench:peers [seconds] [rounds]`: other engines that journal steps, and Node-RED, which persists nothing, in turns with ours. `PEER_URL`
 * is the address of a webhook of another engine, for example n8n, that sets five fields and responds; the bench calls it like our server.
 */
const durationMs = Number(process.argv[2] ?? 3) * 1000
const rounds = Number(process.argv[3] ?? 3)
/** Warm-up time for the compilers. */
const warmUpMs = 4_000

await using running = new AsyncDisposableStack()
const database = await startThrowawayDatabase()
running.defer(() => database.stop())
process.stdout.write(`${describeMachine()}\n${durationMs / 1000} s each, median (least to most) of ${rounds} rounds\n`)

const engine = await openEngineOnly(database.url)
const ours: Peer = { name: 'Millrace, in process', ...engine }
running.defer(() => ours.close())
const durable = await those([
  ['DBOS', () => openDbos(database.url)],
  ['Restate', openRestate],
])
await compare('three steps that cost nothing, each journalled before the next', [ours, ...durable])

const server = await startBenchServer(undefined)
running.defer(() => server.stop())
const path = `/api/v1/execute/${await server.create(fiveSets)}/run`
const headers = { 'content-type': 'application/json', authorization: `Bearer ${server.token}` }
const overHttp: Peer = {
  name: 'Millrace, persisted and fsynced',
  measure: (connections, ms) => load({ port: server.port, path, headers, body: '{"input":{"n":1}}', connections, durationMs: ms }),
  close: async () => undefined,
}
const peerUrl = process.env['PEER_URL']
const webhooks = await those([
  ['Node-RED', openNodeRed],
  ...(peerUrl === undefined ? [] : [[peerUrl, async () => peerByHttp(peerUrl)] as const]),
])
await compare('a webhook that sets fields five times and answers', [overHttp, ...webhooks])
process.stdout.write(`\n${describeLoad()}\n`)

/** The available peers; the others are reported. */
async function those(peers: readonly (readonly [string, () => Promise<Peer>])[]): Promise<readonly Peer[]> {
  const opened: Peer[] = []
  for (const [name, open] of peers) {
    try {
      const peer = await open()
      running.defer(() => peer.close())
      opened.push(peer)
    } catch (error) {
      process.stdout.write(`\n${name} cannot be had here: ${error instanceof Error ? error.message : String(error)}\n`)
    }
  }
  return opened
}

/** The first one is Millrace. */
async function compare(what: string, peers: readonly Peer[]): Promise<void> {
  process.stdout.write(
    `\n${what}\n${'at once'.padEnd(9)}${'who'.padEnd(34)}${'executions'.padEnd(28)}${'median of one'.padEnd(32)}ours to theirs\n`,
  )
  for (const concurrency of [32, 1]) {
    const results = new Map<Peer, LoadResult[]>(peers.map((peer) => [peer, []]))
    for (const peer of peers) await peer.measure(concurrency, warmUpMs)
    for (let round = 0; round < rounds; round++) {
      for (const peer of peers) results.get(peer)?.push(await peer.measure(concurrency, durationMs))
    }
    const [first] = peers
    const mine = first === undefined ? [] : (results.get(first) ?? [])
    for (const [peer, got] of results) {
      const ratios = spread(got.map((one, round) => (mine[round]?.perSecond ?? Number.NaN) / one.perSecond))
      const ratio = peer === first ? '' : `${ratios.median.toFixed(1)}× (${ratios.min.toFixed(1)} to ${ratios.max.toFixed(1)})`
      const failures = got.reduce((sum, one) => sum + one.failures, 0)
      if (failures > 0) process.exitCode = 1
      const figures = [showRate(spread(got.map((one) => one.perSecond))).padEnd(28), showMs(spread(got.map((one) => one.p50))).padEnd(32)]
      process.stdout.write(
        `${String(concurrency).padEnd(9)}${peer.name.padEnd(34)}${figures.join('')}${ratio}${failures > 0 ? ` ${failures} failures` : ''}\n`,
      )
    }
  }
}
