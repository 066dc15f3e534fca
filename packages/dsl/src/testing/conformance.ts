import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const directory = new URL('../../../../../shared/conformance/ows/', import.meta.url)

/** A file of the conformance data, which lies beside the repository; fails with the path when it is not there. */
export function readConformance(name: string): string {
  const url = new URL(name, directory)
  if (!existsSync(url)) throw new Error(`The conformance data is missing: ${fileURLToPath(url)}.`)
  return readFileSync(url, 'utf8')
}

/** The names of the official examples. */
export function exampleNames(): string[] {
  const url = new URL('examples/', directory)
  if (!existsSync(url)) throw new Error(`The conformance data is missing: ${fileURLToPath(url)}.`)
  return readdirSync(url).filter((name) => name.endsWith('.yaml'))
}
