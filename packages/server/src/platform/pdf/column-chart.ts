/** Columns of stacked values, as over the days of a period. */
export interface ColumnChart {
  readonly series: readonly { readonly name: string; readonly color: string }[]
  /** `values` has one value, not negative, for each series. */
  readonly columns: readonly { readonly label: string; readonly values: readonly number[] }[]
}

/** Where the parts of a chart are, from the top left corner of its plot. */
export interface ColumnChartLayout {
  readonly rectangles: readonly {
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
    readonly color: string
  }[]
  readonly lines: readonly { readonly y: number; readonly value: number }[]
  /** `x` is the middle of the column. */
  readonly labels: readonly { readonly x: number; readonly text: string }[]
}

const linesMax = 4
const columnWidthMax = 28
const labelWidth = 70

/** Lays out a chart in a plot of a given size, with lines at round values and as many labels as fit. */
export function layOutColumns({ series, columns }: ColumnChart, width: number, height: number): ColumnChartLayout {
  const totals = columns.map(({ values }) => values.reduce((sum, value) => sum + value, 0))
  const step = roundStep(Math.max(1, ...totals) / linesMax)
  const top = Math.ceil(Math.max(1, ...totals) / step) * step
  const slot = width / Math.max(1, columns.length)
  const columnWidth = Math.min(columnWidthMax, slot * 0.8)
  const middleOf = (index: number) => (index + 0.5) * slot
  const rectangles = columns.flatMap(({ values }, index) => {
    let below = 0
    return values.flatMap((value, place) => {
      const size = (value / top) * height
      below += size
      const color = series[place]?.color ?? '#000000'
      return value === 0 ? [] : [{ x: middleOf(index) - columnWidth / 2, y: height - below, width: columnWidth, height: size, color }]
    })
  })
  const every = Math.max(1, Math.ceil(labelWidth / slot))
  return {
    rectangles,
    lines: Array.from({ length: Math.round(top / step) + 1 }, (_, index) => ({
      y: height - (index * step * height) / top,
      value: index * step,
    })),
    labels: columns.flatMap(({ label }, index) => (index % every === 0 ? [{ x: middleOf(index), text: label }] : [])),
  }
}

/** The smallest of 1, 2, 5, 10, 20, … that is not below a number. */
function roundStep(least: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)))
  return ([1, 2, 5].find((digit) => digit * power >= least) ?? 10) * power
}
