import { type ColumnChart, layOutColumns } from '#platform/pdf/column-chart.ts'
import { type PrintedReport, type PrintedSection, reportColors, shareOf } from '#platform/pdf/printed-report.ts'

/** The report of a pack: a page without scripts and outside resources. */
export function reportPage({ title, notes, sections }: PrintedReport): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<style>${pageStyle}</style></head><body><main>
<h1>${escaped(title)}</h1>
${notes.map((note) => `<p>${escaped(note)}</p>`).join('\n')}
<p>Open <a href="verify.html">verify.html</a> to verify the receipts in this browser, without network. <a href="report.pdf">report.pdf</a> has the same report.</p>
${sections.map(sectionHtml).join('\n')}
</main></body></html>
`
}

function sectionHtml(section: PrintedSection): string {
  const heading = `<h2>${escaped(section.title)}</h2>`
  switch (section.kind) {
    case 'bars':
      return `${heading}\n${section.bars.map(barHtml).join('\n')}`
    case 'columns':
      return `${heading}\n${chartHtml(section.chart)}`
    case 'table': {
      const head = section.columns.map(({ label }) => `<th>${escaped(label)}</th>`).join('')
      const rows = section.rows.map((row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`)
      return `${heading}\n<table><thead><tr>${head}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table>`
    }
  }
}

function barHtml({ label, value, total }: { readonly label: string; readonly value: number; readonly total: number }): string {
  const width = Math.round(shareOf(value, total) * 100)
  const { rule, bar } = reportColors
  return `<div class="bar"><span>${escaped(label)}</span><svg width="200" height="10" role="img" aria-label="${width} %"><rect width="200" height="10" fill="${rule}"/><rect width="${width * 2}" height="10" fill="${bar}"/></svg><b>${value}</b></div>`
}

const plot = { left: 40, width: 760, height: 160 } as const

function chartHtml(chart: ColumnChart): string {
  const { rectangles, lines, labels } = layOutColumns(chart, plot.width, plot.height)
  const { muted, rule } = reportColors
  const legend = chart.series.map(({ name, color }) => `<span><i style="background:${color}"></i>${escaped(name)}</span>`).join('')
  const totals = chart.series.map(
    ({ name }, index) => `${name} ${chart.columns.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)}`,
  )
  return `<p class="legend">${legend}</p>
<svg viewBox="0 0 ${plot.left + plot.width} ${plot.height + 30}" role="img" aria-label="${escaped(totals.join(', '))}" font-size="10" fill="${muted}">
${lines.map(({ y, value }) => `<path d="M${plot.left} ${y + 8}h${plot.width}" stroke="${rule}"/><text x="${plot.left - 6}" y="${y + 11}" text-anchor="end">${value}</text>`).join('')}
${rectangles.map(({ x, y, width, height, color }) => `<rect x="${(plot.left + x).toFixed(2)}" y="${(y + 8).toFixed(2)}" width="${width.toFixed(2)}" height="${height.toFixed(2)}" fill="${color}"/>`).join('')}
${labels.map(({ x, text }) => `<text x="${(plot.left + x).toFixed(2)}" y="${plot.height + 24}" text-anchor="middle">${escaped(text)}</text>`).join('')}
</svg>`
}

export const pageStyle = `body{font:15px/1.5 system-ui,sans-serif;color:#111827;margin:0}main{max-width:70rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%;font-size:13px}th,td{text-align:left;border-bottom:1px solid #e5e7eb;padding:.3rem .5rem;overflow-wrap:anywhere}
.bar{display:grid;grid-template-columns:18rem 200px auto;gap:1rem;align-items:center}.ok{color:#166534}.bad{color:#b91c1c;font-weight:600}
.legend{display:flex;gap:1.5rem}.legend i{display:inline-block;width:.7em;height:.7em;margin-inline-end:.4em}`

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
