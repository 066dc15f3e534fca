import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Where the conformance data lies, or why tests that need it are skipped. Vitest provides it to every test file as `conformance`. */
export type ProvidedConformance = { readonly folder: string } | { readonly missing: string }

/** The folder that `npm run conformance` fills. */
export const fetchedFolder = '.conformance'

/** The note of a skipped test. */
export const missingConformance = 'Needs the conformance data. Run `npm run conformance` to download it.'

/**
 * Finds the data of the conformance tests: at MILLRACE_CONFORMANCE, else beside the repository, else at the target of `npm run conformance`.
 * @throws Error if MILLRACE_CONFORMANCE names no such folder, because a set variable requests these tests
 */
export function locateConformance(root: string, environment: Readonly<Record<string, string | undefined>>): ProvidedConformance {
  const named = environment['MILLRACE_CONFORMANCE']
  if (named !== undefined && named !== '') {
    const folder = resolve(root, named)
    if (!isConformance(folder))
      throw new Error(`MILLRACE_CONFORMANCE names ${folder}, which lacks the folders ows and jq. Correct the variable or unset it.`)
    return { folder }
  }
  const folder = [join(root, '../shared/conformance'), join(root, fetchedFolder)].find(isConformance)
  return folder === undefined ? { missing: missingConformance } : { folder }
}

function isConformance(folder: string): boolean {
  return existsSync(join(folder, 'ows')) && existsSync(join(folder, 'jq'))
}
