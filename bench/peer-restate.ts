import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild } from './child.ts'
import { freePort } from './free-port.ts'
import { load } from './load.ts'
import type { Peer } from './peer.ts'
import { installPeer, peerFile } from './peer-install.ts'
import { eventually, stop } from './peer-process.ts'

/** Restate's server with its defaults (its log is fsynced) and a service in its own process, called through the server's ingress over HTTP. */
export async function openRestate(): Promise<Peer> {
  const version = await installPeer('@restatedev/restate-server')
  await installPeer('@restatedev/restate-sdk')
  const home = await mkdtemp(join(tmpdir(), 'millrace-bench-restate-'))
  const service = await startChild('peer-restate-service.ts', [], {}, /port (\d+)/)
  const [ingress, admin, node] = [await freePort(), await freePort(), await freePort()]
  const server = spawn(binary(), ['--no-logo', '--listen-mode', 'tcp', '--base-dir', home], {
    stdio: 'ignore',
    env: {
      ...process.env,
      RESTATE_DISABLE_TELEMETRY: 'true',
      RESTATE_LOG_FILTER: 'error',
      RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    },
  })
  const close = async () => {
    await stop(server)
    await service.stop()
    await rm(home, { recursive: true, force: true })
  }
  try {
    await deploy(admin, Number(service.line))
    await answers(ingress)
  } catch (error) {
    await close()
    throw error
  }
  return {
    name: `Restate ${version}, over HTTP`,
    measure: (connections, durationMs) => load({ port: ingress, path: '/bench/effects', headers: {}, body: '', connections, durationMs }),
    close,
  }
}

/** The program of this platform from npm, without its wrapper script. */
function binary(): string {
  return fileURLToPath(peerFile(`@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`))
}

async function deploy(admin: number, service: number): Promise<void> {
  await eventually(`http://127.0.0.1:${admin}/deployments`, JSON.stringify({ uri: `http://127.0.0.1:${service}` }))
}

async function answers(ingress: number): Promise<void> {
  await eventually(`http://127.0.0.1:${ingress}/bench/effects`, '')
}
