/** The least coverage in per cent, by the files that it applies to. Threads and child processes are not measured. */
export const thresholds: Readonly<Record<string, { readonly lines: number; readonly branches: number }>> = {
  'packages/engine/src/core/**': { lines: 100, branches: 100 },
  'packages/jq/src/**': { lines: 95, branches: 95 },
  'packages/dsl/src/**': { lines: 95, branches: 95 },
  'packages/engine/src/**': { lines: 95, branches: 95 },
  'packages/{contract,client,server,cli}/src/**': { lines: 85, branches: 85 },
}
