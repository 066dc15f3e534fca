import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const shared = { noEmit: false, rewriteRelativeImportExtensions: true, rootDir: '..', outDir: '.' }
const developmentOnly = ['../packages/web/**', '../packages/**/*.test.ts', '../packages/*/src/testing/**', '../packages/*/src/laws/**']

/** Programs are run and not imported, so they need no declarations. */
export const libraries: readonly string[] = ['jq', 'dsl', 'contract', 'engine', 'client']

/** Compiles the sources of every package into `dist/packages/<name>/src`: JavaScript, and declarations of the libraries. */
export async function compile(root: string, dist: string): Promise<void> {
  await runCompiler(root, dist, { ...shared, declaration: false }, ['../packages/*/src/**/*.ts'])
  const sources = libraries.map((name) => `../packages/${name}/src/**/*.ts`)
  await runCompiler(root, dist, { ...shared, declaration: true, emitDeclarationOnly: true }, sources)
  await Promise.all((await declarations(dist)).map(pointAtJavaScript))
}

async function runCompiler(root: string, dist: string, compilerOptions: object, include: readonly string[]): Promise<void> {
  const project = join(dist, 'tsconfig.json')
  await writeFile(project, JSON.stringify({ extends: '../tsconfig.json', compilerOptions, include, exclude: developmentOnly }))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const output = await promisify(execFile)(process.execPath, [tsc, '-p', project, '--pretty', 'false'], { maxBuffer: 64_000_000 }).then(
    () => '',
    (error: unknown) => String(Object(error).stdout),
  )
  // TS2877 warns that `#core/x.ts` is not rewritten. It must not be: package.json of the built package leads it to JavaScript.
  const errors = output.split('\n').filter((line) => line.includes('error TS') && !line.includes('error TS2877'))
  if (errors.length > 0) throw new Error(`The sources do not compile:\n${errors.join('\n')}`)
}

/** The compiler rewrites `./x.ts` to `./x.js` in JavaScript and leaves declarations alone, where it would then miss the source. */
async function pointAtJavaScript(path: string): Promise<void> {
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replaceAll(/(\bfrom\s+|\bimport\()(['"])(\.[^'"]*)\.ts\2/g, '$1$2$3.js$2'))
}

async function declarations(dist: string): Promise<readonly string[]> {
  const entries = await readdir(join(dist, 'packages'), { recursive: true })
  return entries.filter((entry) => entry.endsWith('.d.ts')).map((entry) => join(dist, 'packages', entry))
}
