import { useMemo } from 'react'
import { t } from '#src/pages/tables/texts.ts'
import { number } from '#src/values/format.ts'
import { type ColumnCells, type Kind } from './columns.ts'
import { columnsOf, kindIn, type LineFault, type Reading, repeatedKeys, rowsOf } from './csv-rows.ts'
import type { CsvFile } from './read-csv.ts'

const shownMax = 20

/** What the cells of a file are read as, before they are, and the lines that cannot be imported. */
export function ImportPreview({
  file,
  reading: { keyColumn, decimal, placeholders },
}: {
  readonly file: CsvFile
  readonly reading: Reading
}) {
  const { columns, faults, repeated } = useMemo(
    () => ({
      columns: [...columnsOf(file, { keyColumn, decimal })],
      faults: rowsOf(file, { keyColumn, decimal, placeholders }).faults,
      repeated: repeatedKeys(file, keyColumn),
    }),
    [file, keyColumn, decimal, placeholders],
  )
  const kinds = columns.map(([name, cells]) => [name, kindIn(cells, placeholders)] as const)
  return (
    <>
      {faults.length > 0 && <Faults faults={faults} />}
      <ul className="t13 i2">
        {(['number', 'boolean', 'text'] as const).map((kind) => (
          <Columns key={kind} kind={kind} names={kinds.flatMap(([name, found]) => (found === kind ? [name] : []))} />
        ))}
        {columns.map(([name, cells]) => (
          <Remarks key={name} name={name} cells={cells} file={file} placeholders={placeholders} />
        ))}
        {repeated.length > 0 && (
          <li>
            {t.repeated(number(repeated.length))}
            <ul>
              {repeated.slice(0, shownMax).map(({ key, lines }) => (
                <li key={key}>
                  <bdi className="mono wrap-any">{key}</bdi> {t.inLines(linesIn(lines))}
                </li>
              ))}
              {repeated.length > shownMax && <li>{t.moreLines(number(repeated.length - shownMax))}</li>}
            </ul>
          </li>
        )}
      </ul>
    </>
  )
}

function Columns({ kind, names }: { readonly kind: Kind; readonly names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <li>
      {t.kinds[kind]} <bdi>{names.join(', ')}</bdi>
    </li>
  )
}

/** Why a column that seems to have numbers has texts, or which of its cells are left empty. */
function Remarks({
  name,
  cells: { placeholders: open, placeholderCount, withoutPlaceholders, odd },
  file,
  placeholders,
}: {
  readonly name: string
  readonly cells: ColumnCells
  readonly file: CsvFile
  readonly placeholders: Reading['placeholders']
}) {
  if (withoutPlaceholders !== undefined) {
    const shown = [...open].slice(0, 5).join(', ')
    return <li>{(placeholders === 'empty' ? t.leftEmpty : t.madeTexts)(name, number(placeholderCount), shown)}</li>
  }
  if (odd === undefined) return null
  return <li>{t.oddCells(name, number(odd.count), number(file.numbers[odd.index] ?? 0), odd.first.slice(0, 60))}</li>
}

/** All lines that cannot be imported, of which the first are named. */
function Faults({ faults }: { readonly faults: readonly LineFault[] }) {
  return (
    <div role="alert" className="verdict bad">
      <div className="grow">
        <p className="b">{t.faulty(number(faults.length))}</p>
        <ul className="t13">
          {faults.slice(0, shownMax).map(({ at, fault }) => (
            <li key={at}>{t.lineFaults[fault](number(at))}</li>
          ))}
          {faults.length > shownMax && <li>{t.moreLines(number(faults.length - shownMax))}</li>}
        </ul>
      </div>
    </div>
  )
}

const linesMax = 8

function linesIn(lines: readonly number[]): string {
  const shown = lines.slice(0, linesMax).map(number).join(', ')
  return lines.length > linesMax ? `${shown}, …` : shown
}
