/**
 * The least coverage in per cent, by the files that it applies to. A value below the target in its comment is what the tests reach today: raise it with
 * the tests. Threads and child processes are not measured, which matters for `cli`: most of its tests start the program.
 */
export const thresholds: Readonly<Record<string, { readonly lines: number; readonly branches: number }>> = {
  // Target: 100 and 100.
  'packages/engine/src/core/**': { lines: 99, branches: 97 },
  // Target: 95 and 95.
  'packages/jq/src/**': { lines: 95, branches: 92 },
  'packages/dsl/src/**': { lines: 95, branches: 94 },
  'packages/engine/src/**': { lines: 95, branches: 93 },
  'packages/{contract,client,server}/src/**': { lines: 85, branches: 85 },
  // Target: 85 and 85.
  'packages/cli/src/**': { lines: 50, branches: 49 },
}
