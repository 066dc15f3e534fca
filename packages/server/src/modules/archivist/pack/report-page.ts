/** One execution of the report. */
export interface ReportRow {
  readonly id: string
  /** Undefined for an execution that was deleted or has not ended. */
  readonly state: string | undefined
  readonly endedAt: string | undefined
  readonly version: string | undefined
  readonly isReplayed: boolean
  /** The day of the audit log that has its end. */
  readonly loggedOn: string | undefined
  readonly digest: string | undefined
}

export interface Report {
  readonly name: string
  readonly account: string
  readonly selection: object
  readonly madeAt: string
  readonly rows: readonly ReportRow[]
  readonly days: readonly string[]
}

/** The report of a pack: a page without scripts and outside resources. */
export function reportPage({ name, account, selection, madeAt, rows, days }: Report): string {
  const present = rows.filter(({ state }) => state !== undefined)
  const figures: readonly (readonly [string, number])[] = [
    ['Executions selected', rows.length],
    ['With a receipt', present.length],
    ['Replay gives the recorded result', present.filter(({ isReplayed }) => isReplayed).length],
    ['End in the audit log', present.filter(({ loggedOn }) => loggedOn !== undefined).length],
    ['Completed', present.filter(({ state }) => state === 'completed').length],
    ['Faulted', present.filter(({ state }) => state === 'faulted').length],
    ['Cancelled', present.filter(({ state }) => state === 'cancelled').length],
    ['Days of the audit log', days.length],
  ]
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Evidence pack ${escaped(name)}</title>
<style>${pageStyle}</style></head><body><main>
<h1>Evidence pack</h1>
<p>${escaped(name)}, account ${escaped(account)}, made at ${escaped(madeAt)}. Selection: <code>${escaped(JSON.stringify(selection))}</code></p>
<p>Open <a href="verify.html">verify.html</a> to verify the receipts in this browser, without network.</p>
<h2>Summary</h2>
${figures.map(([label, value]) => bar(label, value, rows.length)).join('\n')}
<h2>Executions</h2>
<table><thead><tr><th>Execution</th><th>State</th><th>Ended</th><th>Definition</th><th>Replay</th><th>Audit log</th><th>Digest of the statement</th></tr></thead><tbody>
${rows.map(rowHtml).join('\n')}
</tbody></table></main></body></html>
`
}

function rowHtml({ id, state, endedAt, version, isReplayed, loggedOn, digest }: ReportRow): string {
  if (state === undefined)
    return `<tr><td>${escaped(id)}</td><td colspan="6">No receipt: the execution was deleted, or has not ended.</td></tr>`
  const cells = [id, state, endedAt ?? '', version ?? '', isReplayed ? 'same' : 'different', loggedOn ?? 'not in the log', digest ?? '']
  return `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`
}

function bar(label: string, value: number, total: number): string {
  const width = total === 0 ? 0 : Math.min(100, Math.round((value / total) * 100))
  return `<div class="bar"><span>${escaped(label)}</span><svg width="200" height="10" role="img" aria-label="${width} %"><rect width="200" height="10" fill="#e5e7eb"/><rect width="${width * 2}" height="10" fill="#0f766e"/></svg><b>${value}</b></div>`
}

export const pageStyle = `body{font:15px/1.5 system-ui,sans-serif;color:#111827;margin:0}main{max-width:70rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%;font-size:13px}th,td{text-align:left;border-bottom:1px solid #e5e7eb;padding:.3rem .5rem;overflow-wrap:anywhere}
.bar{display:grid;grid-template-columns:18rem 200px auto;gap:1rem;align-items:center}.ok{color:#166534}.bad{color:#b91c1c;font-weight:600}`

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
