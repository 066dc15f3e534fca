import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'
import { peerByHttp } from './peer-http.ts'
import type { Peer } from './peer.ts'
import { installPeer, peerFile } from './peer-install.ts'
import { eventually, stop } from './peer-process.ts'

/** Node-RED with its defaults and a flow like our five `set` tasks: a webhook, five nodes that set fields, a response. It persists nothing. */
export async function openNodeRed(): Promise<Peer> {
  const version = await installPeer('node-red')
  const home = await mkdtemp(join(tmpdir(), 'millrace-bench-node-red-'))
  const port = await freePort()
  await writeFile(join(home, 'flows.json'), JSON.stringify(flow()))
  const program = fileURLToPath(peerFile('node-red/red.js'))
  const server = spawn(process.execPath, [program, '-u', home, '-p', String(port), 'flows.json'], { stdio: 'ignore' })
  const close = async () => {
    await stop(server)
    await rm(home, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}/run`
  try {
    await eventually(url, '{"n":1}')
  } catch (error) {
    await close()
    throw error
  }
  return { ...peerByHttp(url), name: `Node-RED ${version}`, close }
}

function flow(): readonly object[] {
  const set = (property: string, to: string, type: 'jsonata' | 'str') => ({
    type: 'change',
    rules: [{ t: 'set', p: property, pt: 'msg', to, tot: type }],
  })
  const steps = [
    { type: 'http in', url: '/run', method: 'post' },
    set('payload', '{"a": payload.n + 1}', 'jsonata'),
    set('payload.b', 'two', 'str'),
    set('payload.c', 'three', 'str'),
    set('payload.d', 'four', 'str'),
    set('payload.e', 'five', 'str'),
    { type: 'http response' },
  ]
  const nodes = steps.map((step, index) => ({
    id: `n${index}`,
    z: 'tab',
    wires: index + 1 < steps.length ? [[`n${index + 1}`]] : [],
    ...step,
  }))
  return [{ id: 'tab', type: 'tab', label: 'bench' }, ...nodes]
}
