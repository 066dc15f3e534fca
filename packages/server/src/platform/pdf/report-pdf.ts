import { type ColumnChart, layOutColumns } from './column-chart.ts'
import { openPdf, type PdfDocument } from './open-pdf.ts'
import { type Bar, type PrintedReport, type PrintedSection, reportColors, shareOf } from './printed-report.ts'
import { createTextWriter, type TextWriter } from './text-writer.ts'

const margin = 50
const pageWidth = 841.89
const pageHeight = 595.28
const width = pageWidth - 2 * margin
const bottom = pageHeight - margin - 14
const normal = 10
const small = 7.5

interface Pen {
  readonly document: PdfDocument
  readonly text: TextWriter
  readonly title: string
  page: number
  y: number
}

/** Makes a PDF/A-3b of pages in landscape format. */
export async function makeReportPdf(report: PrintedReport): Promise<Buffer> {
  const { document, bytes } = openPdf({ title: report.title, at: report.madeAt, layout: 'landscape' })
  const pen: Pen = { document, text: createTextWriter(document), title: report.title, page: 1, y: margin }
  writeFooter(pen)
  pen.y += pen.text.write(report.title, { x: margin, y: pen.y, width, size: 20 }) + 6
  for (const note of report.notes) {
    breakBefore(pen, pen.text.heightOf(note, { width, size: normal - 1 }))
    pen.y += pen.text.write(note, { x: margin, y: pen.y, width, size: normal - 1, color: reportColors.muted }) + 2
  }
  for (const section of report.sections) drawSection(pen, section)
  document.end()
  return bytes
}

function drawSection(pen: Pen, section: PrintedSection): void {
  pen.y += 14
  // A heading is not left alone at the end of a page.
  breakBefore(pen, section.kind === 'columns' ? chartHeight + 70 : 60)
  pen.y += pen.text.write(section.title, { x: margin, y: pen.y, width, size: 13 }) + 4
  switch (section.kind) {
    case 'bars':
      for (const bar of section.bars) drawBar(pen, bar)
      return
    case 'columns':
      drawColumns(pen, section.chart)
      return
    case 'table':
      drawTable(pen, section)
  }
}

const barLabelWidth = 220
const barWidth = 300

function drawBar(pen: Pen, { label, value, total }: Bar): void {
  breakBefore(pen, 17)
  const height = pen.text.write(label, { x: margin, y: pen.y, width: barLabelWidth, size: normal })
  const left = margin + barLabelWidth
  fill(pen, { x: left, y: pen.y + 3, width: barWidth, height: 9 }, reportColors.rule)
  fill(pen, { x: left, y: pen.y + 3, width: barWidth * shareOf(value, total), height: 9 }, reportColors.bar)
  pen.text.write(String(value), { x: left + barWidth + 10, y: pen.y, width: 100, size: normal })
  pen.y += height + 2
}

const chartHeight = 150
const axisWidth = 34

function drawColumns(pen: Pen, chart: ColumnChart): void {
  let x = margin
  for (const { name, color } of chart.series) {
    fill(pen, { x, y: pen.y + 3, width: 9, height: 9 }, color)
    pen.text.write(name, { x: x + 14, y: pen.y, width: 120, size: normal - 1 })
    x += 110
  }
  pen.y += 26
  const left = margin + axisWidth
  const { rectangles, lines, labels } = layOutColumns(chart, width - axisWidth, chartHeight)
  for (const { y, value } of lines) {
    fill(pen, { x: left, y: pen.y + y, width: width - axisWidth, height: 0.5 }, reportColors.rule)
    pen.text.write(String(value), {
      x: margin,
      y: pen.y + y - 6,
      width: axisWidth - 6,
      size: small,
      align: 'end',
      color: reportColors.muted,
    })
  }
  for (const { color, ...place } of rectangles) fill(pen, { ...place, x: left + place.x, y: pen.y + place.y }, color)
  for (const { x: middle, text } of labels) {
    const place = { x: left + middle - 25, y: pen.y + chartHeight + 4, width: 60 }
    pen.text.write(text, { ...place, size: small, color: reportColors.muted })
  }
  pen.y += chartHeight + 18
}

function drawTable(pen: Pen, { columns, rows }: Extract<PrintedSection, { kind: 'table' }>): void {
  const shares = columns.reduce((sum, { share }) => sum + share, 0)
  const widths = columns.map(({ share }) => (share / shares) * width)
  const head = columns.map(({ label }) => label)
  drawRow(pen, widths, head, reportColors.muted)
  for (const row of rows) {
    if (breakBefore(pen, heightOfRow(pen, widths, row))) drawRow(pen, widths, head, reportColors.muted)
    drawRow(pen, widths, row)
  }
}

const cellGap = 8

function heightOfRow({ text }: Pen, widths: readonly number[], row: readonly string[]): number {
  return Math.max(...row.map((cell, index) => text.heightOf(cell, { width: (widths[index] ?? 0) - cellGap, size: small }))) + 4
}

function drawRow(pen: Pen, widths: readonly number[], row: readonly string[], color: string = reportColors.ink): void {
  let x = margin
  let height = 0
  for (const [index, cell] of row.entries()) {
    const cellWidth = widths[index] ?? 0
    height = Math.max(height, pen.text.write(cell, { x, y: pen.y, width: cellWidth - cellGap, size: small, color }))
    x += cellWidth
  }
  pen.y += height + 2
  fill(pen, { x: margin, y: pen.y, width, height: 0.5 }, reportColors.rule)
  pen.y += 2
}

function fill(
  { document }: Pen,
  { x, y, width: across, height }: { x: number; y: number; width: number; height: number },
  color: string,
): void {
  document.rect(x, y, across, height).fill(color)
}

/** @returns whether a new page was begun. */
function breakBefore(pen: Pen, height: number): boolean {
  if (pen.y + height <= bottom) return false
  pen.document.addPage({ size: 'A4', layout: 'landscape', margin: 0 })
  pen.page += 1
  pen.y = margin
  writeFooter(pen)
  return true
}

function writeFooter({ text, title, page }: Pen): void {
  const place = { y: pageHeight - margin, size: small, color: reportColors.muted }
  text.write(title, { x: margin, width: width - 60, ...place })
  text.write(String(page), { x: margin + width - 50, width: 50, align: 'end', ...place })
}
