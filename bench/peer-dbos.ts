import { loadInProcess } from './load.ts'
import type { Peer } from './peer.ts'
import { installPeer, peerFile } from './peer-install.ts'

/** The part of DBOS that the bench uses. */
interface Dbos {
  setConfig(config: object): void
  registerWorkflow(fn: () => Promise<unknown>, options: { readonly name: string }): () => Promise<unknown>
  runStep(fn: () => Promise<unknown>, options: { readonly name: string }): Promise<unknown>
  launch(): Promise<void>
  shutdown(): Promise<void>
}

/** DBOS as a library in this process, on the given PostgreSQL: a workflow of three steps without cost of their own. */
export async function openDbos(postgresUrl: string): Promise<Peer> {
  const version = await installPeer('@dbos-inc/dbos-sdk')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Installed on demand, so the compiler cannot see it.
  const { DBOS } = (await import(peerFile('@dbos-inc/dbos-sdk/dist/src/index.js').href)) as { readonly DBOS: Dbos }
  const systemDatabaseUrl = new URL(postgresUrl)
  systemDatabaseUrl.pathname = '/dbos'
  // The same number of connections as our engine.
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: systemDatabaseUrl.href,
    systemDatabasePoolSize: 10,
    logLevel: 'error',
    runAdminServer: false,
  })
  const effects = DBOS.registerWorkflow(
    async () => {
      for (const name of ['one', 'two', 'three']) await DBOS.runStep(async () => ({ done: true }), { name })
      return { done: true }
    },
    { name: 'effects' },
  )
  await DBOS.launch()
  return {
    name: `DBOS ${version}, in process`,
    measure: (concurrency, durationMs) => loadInProcess(effects, concurrency, durationMs),
    close: () => DBOS.shutdown(),
  }
}
