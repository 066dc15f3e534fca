import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, inject, test } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    readonly conformance: { readonly folder: string } | { readonly missing: string }
  }
}

/** The conformance data: files made by others, which stay outside of the repository. */
export interface ConformanceData {
  /** The text of a file by its path, such as `jq/jq.test`. */
  read(path: string): string
  /** The names of the files in a folder that end so, in order. */
  list(folder: string, ending: string): readonly string[]
}

/**
 * The conformance data, for what runs inside of `describeConformance` and `testConformance`.
 * @throws Error when the data is not there
 */
export function conformanceData(): ConformanceData {
  const provided = inject('conformance')
  if ('missing' in provided) throw new Error(provided.missing)
  const { folder } = provided
  return {
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    list: (path, ending) =>
      readdirSync(join(folder, path))
        .filter((name) => name.endsWith(ending))
        .toSorted(),
  }
}

/** Groups tests that need the conformance data. Without it the group is one skipped test, and `define` is not called. */
export function describeConformance(name: string, define: (data: ConformanceData) => void): void {
  if ('missing' in inject('conformance')) {
    testConformance(name, () => {})
    return
  }
  // oxlint-disable-next-line vitest/valid-title -- The caller's, as with `describe` itself.
  describe(name, () => {
    define(conformanceData())
  })
}

/** A test that needs the conformance data, and is skipped without it. */
export function testConformance(name: string, run: (data: ConformanceData) => void | Promise<void>): void {
  // oxlint-disable-next-line vitest/valid-title, vitest/expect-expect -- The caller's, as with `test` itself.
  test(name, async ({ skip }) => {
    const provided = inject('conformance')
    if ('missing' in provided) skip(provided.missing)
    await run(conformanceData())
  })
}
