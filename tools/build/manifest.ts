/** The part of a package.json that building changes. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string>>
  readonly imports?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  /** True in the sources: only what `npm run build` makes can be published. */
  readonly private?: boolean
  readonly description?: string
  readonly keywords?: readonly string[]
}

/** Libraries have declarations, programs do not. */
export type Kind = 'library' | 'program'

type Built = string | { readonly types: string; readonly default: string }

/**
 * The package.json of a built package: its paths lead to JavaScript instead of TypeScript.
 *
 * Specifiers such as `#core/node.ts` do not change in the code; the pattern `#core/*.ts` leads them to the built file. A program has no declarations.
 */
export function builtManifest(manifest: Manifest, kind: Kind): Readonly<Record<string, unknown>> {
  const { devDependencies: _development, private: _unbuilt, exports = {}, imports = {}, bin = {}, ...rest } = manifest
  return {
    ...rest,
    ...nonEmpty('exports', Object.fromEntries(published(exports).map(([name, target]) => [name, builtTarget(target, kind)]))),
    ...nonEmpty('imports', Object.fromEntries(publishedImports(imports).flatMap(([name, target]) => builtImports(name, target, kind)))),
    ...nonEmpty('bin', Object.fromEntries(Object.entries(bin).map(([name, target]) => [name, target.replace(/\.ts$/, '.js')]))),
  }
}

/** Exports for tests of other packages are not built. */
function published(exports: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(exports).filter(([name]) => !name.startsWith('./testing/'))
}

/** Aliases of test helpers lead nowhere in a published package. */
function publishedImports(imports: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(imports).filter(([, target]) => !/^\.\/(?:test|src\/testing)\//.test(target))
}

function builtImports(name: string, target: string, kind: Kind): readonly (readonly [string, Built])[] {
  if (!name.endsWith('/*')) return [[name, builtTarget(target, kind)]]
  // The folder may contain other files, such as SQL; the longer pattern wins for TypeScript.
  return [
    [`${name}.ts`, builtTarget(`${target}.ts`, kind)],
    [name, target],
  ]
}

function builtTarget(target: string, kind: Kind): Built {
  if (!target.endsWith('.ts')) return target
  const code = target.replace(/\.ts$/, '.js')
  return kind === 'program' ? code : { types: target.replace(/\.ts$/, '.d.ts'), default: code }
}

function nonEmpty(name: string, entries: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.keys(entries).length === 0 ? {} : { [name]: entries }
}
