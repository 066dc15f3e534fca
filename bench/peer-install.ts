import { execFile } from 'node:child_process'
import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Exact versions, which belong to the results. Updated by hand. */
const versions = {
  '@dbos-inc/dbos-sdk': '5.3.0',
  '@restatedev/restate-sdk': '1.17.2',
  '@restatedev/restate-server': '1.7.12',
  'node-red': '4.1.15',
} as const

export type PeerPackage = keyof typeof versions

const home = new URL('.peers/', import.meta.url)

/**
 * Installs a peer into its own folder, which git ignores, unless this version is installed. The repository's lock file does not contain it.
 * Install scripts are not run.
 */
export async function installPeer(name: PeerPackage): Promise<string> {
  const version = versions[name]
  if ((await installedVersion(name)) === version) return version
  await mkdir(home, { recursive: true })
  const manifest = new URL('package.json', home)
  await access(manifest).catch(() => writeFile(manifest, '{ "private": true, "type": "module" }\n'))
  const options = ['--save-exact', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund']
  await promisify(execFile)('npm', ['install', ...options, `${name}@${version}`], { cwd: fileURLToPath(home), timeout: 300_000 })
  return version
}

/** The URL of a file of an installed peer, for `import()` or to run it. */
export function peerFile(path: string): URL {
  return new URL(`node_modules/${path}`, home)
}

async function installedVersion(name: PeerPackage): Promise<unknown> {
  try {
    const manifest: unknown = JSON.parse(await readFile(peerFile(`${name}/package.json`), 'utf8'))
    return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : undefined
  } catch {
    return undefined
  }
}
