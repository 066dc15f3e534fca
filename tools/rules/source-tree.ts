import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { importsOf } from './imports.ts'
import { createResolver, type Target } from './resolve.ts'

export interface Import {
  readonly specifier: string
  readonly target: Target
}

/** One TypeScript file. Paths are relative to the root, with slashes. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly imports: readonly Import[]
  /** Tests, and helpers of tests, benchmarks and demonstrations. */
  readonly isTest: boolean
  readonly codeLines: number
}

export interface SourceTree {
  readonly files: readonly SourceFile[]
}

const ignored = new Set(['node_modules', 'dist', 'coverage', '.git', '.millrace', '.conformance'])

/** Reads every TypeScript file and package.json below `packages` and `tools`. */
export function readSourceTree(root: string): SourceTree {
  const texts = new Map<string, string>()
  for (const folder of ['packages', 'tools', 'bench']) collect(root, folder, texts)
  return treeOf(texts)
}

/** Makes a tree of texts by path. */
export function treeOf(texts: ReadonlyMap<string, string>): SourceTree {
  const resolve = createResolver(texts)
  const files: SourceFile[] = []
  for (const [path, text] of texts) {
    if (!path.endsWith('.ts')) continue
    const imports = importsOf(text).map((specifier) => ({ specifier, target: resolve(path, specifier) }))
    files.push({ path, text, imports, isTest: isTest(path), codeLines: countCodeLines(text) })
  }
  return { files }
}

function collect(root: string, folder: string, texts: Map<string, string>): void {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory() && !ignored.has(entry.name)) collect(root, path, texts)
    if (entry.isFile() && (entry.name.endsWith('.ts') || entry.name === 'package.json'))
      texts.set(path, readFileSync(join(root, path), 'utf8'))
  }
}

function isTest(path: string): boolean {
  return /\.test\.ts$|(?:^|\/)testing-[^/]*\.ts$|(?:^|\/)(?:test|testing|laws|bench|demo)\//.test(path)
}

/** Lines that are neither blank nor comment. */
export function countCodeLines(text: string): number {
  let count = 0
  let inComment = false
  for (const line of text.split('\n').map((raw) => raw.trim())) {
    const opens = !inComment && line.startsWith('/*')
    if (!inComment && !opens && line !== '' && !line.startsWith('//')) count += 1
    if (inComment || opens) inComment = !line.includes('*/')
  }
  return count
}
