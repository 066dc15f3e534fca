import { posix } from 'node:path'

/** The target of an import: a file of the repository by its path, or an npm package by its name (including `node:fs`). */
export type Target = { readonly kind: 'file'; readonly path: string } | { readonly kind: 'package'; readonly name: string }

interface Manifest {
  readonly folder: string
  readonly name: string
  readonly imports: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, unknown>>
}

/** Makes a function from (importing file, specifier) to target, by the package.json files among the texts. */
export function createResolver(texts: ReadonlyMap<string, string>): (path: string, specifier: string) => Target {
  const manifests = [...texts].filter(([path]) => path.endsWith('package.json')).map(([path, text]) => readManifest(path, text))
  return (path, specifier) => {
    if (specifier.startsWith('.')) return { kind: 'file', path: posix.join(posix.dirname(path), specifier) }
    if (specifier.startsWith('#')) return { kind: 'file', path: resolveAlias(manifests, path, specifier) }
    const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
    const own = manifests.find((manifest) => manifest.name === name)
    if (own === undefined) return { kind: 'package', name }
    const entry = own.exports[`.${specifier.slice(name.length)}`]
    return { kind: 'file', path: posix.join(own.folder, typeof entry === 'string' ? entry : 'src/index.ts') }
  }
}

function resolveAlias(manifests: readonly Manifest[], path: string, specifier: string): string {
  const manifest = manifests.find(({ folder }) => path.startsWith(`${folder}/`))
  for (const [alias, target] of Object.entries(manifest?.imports ?? {})) {
    const [prefix = '', suffix] = alias.split('*')
    if (suffix === undefined ? specifier !== alias : !specifier.startsWith(prefix)) continue
    return posix.join(manifest?.folder ?? '', target.replace('*', specifier.slice(prefix.length)))
  }
  throw new Error(`${path} imports ${specifier}, which is no entry of "imports" in its package.json`)
}

function readManifest(path: string, text: string): Manifest {
  const parsed: unknown = JSON.parse(text)
  const { name, imports, exports } = Object(parsed)
  return { folder: posix.dirname(path), name: String(name), imports: Object(imports ?? {}), exports: Object(exports ?? {}) }
}
