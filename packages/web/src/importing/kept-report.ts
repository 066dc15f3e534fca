import type { Report } from '#src/importing/import-report.tsx'

const keyOf = (workflow: string) => `millrace.import.${workflow}`

/** Keeps what became of the parts of an imported workflow on this device: the server gives it once. */
export function keepReport(workflow: string, kept: KeptReport): void {
  try {
    localStorage.setItem(keyOf(workflow), JSON.stringify(kept))
  } catch {
    // A full or blocked store keeps nothing; the page shows the report all the same.
  }
}

interface KeptReport {
  readonly name: string
  readonly report: Report
}

/** The report of the import of a workflow that was made on this device. */
export function keptReport(workflow: string): KeptReport | undefined {
  try {
    const kept = localStorage.getItem(keyOf(workflow))
    if (kept === null) return undefined
    const value: KeptReport = JSON.parse(kept)
    return value
  } catch {
    return undefined
  }
}

/** The page that shows it. */
export function reportPath(workflow: string): string {
  return `/new/import?made=${workflow}`
}
