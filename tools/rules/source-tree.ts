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

/** Makes a tree of the TypeScript files among texts by path; their package.json files resolve the imports. */
export function treeOf(texts: ReadonlyMap<string, string>): SourceTree {
  const resolve = createResolver(texts)
  const files: SourceFile[] = []
  for (const [path, text] of texts) {
    if (!/\.tsx?$/.test(path)) continue
    const imports = importsOf(text).map((specifier) => ({ specifier, target: resolve(path, specifier) }))
    files.push({ path, text, imports, isTest: isTest(path), codeLines: countCodeLines(text) })
  }
  return { files }
}

function isTest(path: string): boolean {
  return /\.test\.ts$|(?:^|\/)testing-[^/]*\.ts$|(?:^|\/)(?:test|testing|laws|bench|demo|e2e)\//.test(path)
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
