import type { Findings } from './rule.ts'
import type { SourceTree } from './source-tree.ts'

const codeLinesMax = 400
const medianMax = 100
const importsMax = 20
/** Lines of tests for each line of source. Catalogues of data (templates, code lists, names) need fewer tests than decisions. */
const testRatioMin = 0.85

/** No file has over 400 lines of code, and the median is at most 100. Generated files are exempt. */
export function checkSizes(tree: SourceTree): Findings {
  const files = tree.files.filter((file) => !file.text.startsWith('// Generated'))
  const violations = files
    .filter((file) => file.codeLines > codeLinesMax)
    .map((file) => `${file.path} has ${file.codeLines} code lines, over ${codeLinesMax}`)
  const middle = median(files.filter((file) => !file.isTest).map((file) => file.codeLines))
  if (middle > medianMax) violations.push(`the median file has ${middle} code lines, over ${medianMax}`)
  return { seen: files.length, violations }
}

/** Lists of what a package, a module or the contract exports, and of the areas of the server. */
const index =
  /^packages\/(?:(?:[^/]+\/src|contract\/src\/groups|server\/src\/modules\/[^/]+)\/index|server\/src\/(?:compose\/features|laws\/areas\/areas))\.ts$/

/** A file has at most 20 imports. An index is exempt. */
export function checkImportCounts(tree: SourceTree): Findings {
  const violations = tree.files
    .filter((file) => !index.test(file.path))
    .map((file) => ({ path: file.path, count: new Set(file.imports.map(({ specifier }) => specifier)).size }))
    .filter(({ count }) => count > importsMax)
    .map(({ path, count }) => `${path} has ${count} imports, over ${importsMax}`)
  return { seen: sum(tree.files.map((file) => file.imports.length)), violations }
}

/**
 * There are nearly as many lines of tests as of source. `npm run coverage` measures what they reach. Exempt are views (`.tsx`) and texts, which journeys in a
 * browser test, and the declarations of operations, each of which the laws of the server try.
 */
export function checkTestRatio(tree: SourceTree): Findings {
  const files = tree.files.filter(
    (file) => !file.text.startsWith('// Generated') && !/\.tsx$|\/messages\/|\/contract\/src\/groups\//.test(file.path),
  )
  const tests = sum(files.filter((file) => file.isTest).map((file) => file.codeLines))
  const source = sum(files.filter((file) => !file.isTest).map((file) => file.codeLines))
  const violations =
    tests >= source * testRatioMin ? [] : [`${tests} lines of tests for ${source} of source, under the ratio of ${testRatioMin}`]
  return { seen: tree.files.filter((file) => file.isTest).length, violations }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
