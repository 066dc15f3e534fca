import { createServer } from 'node:net'

/** The error of listening, or undefined where the port is free. */
export async function tryToListen(host: string, port: number): Promise<unknown> {
  const server = createServer()
  const error = await new Promise<unknown>((resolve) => {
    server.once('error', resolve)
    server.listen(port, host, () => resolve(undefined))
  })
  await new Promise((resolve) => server.close(resolve))
  return error
}
