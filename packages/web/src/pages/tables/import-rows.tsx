import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { InputError } from '#src/api/json.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { t } from '#src/pages/tables/texts.ts'
import { toast } from '#src/ui/toast.tsx'
import { number } from '#src/values/format.ts'
import type { Decimal } from './columns.ts'
import { type CsvFile, type ImportedRow, kindsOf, readCsv, repeatedKeys, rowsOf } from './read-csv.ts'

/** Writes the lines of a CSV file as rows, some hundred at a time. */
export function ImportRows({ table, done }: { readonly table: string; readonly done: () => Promise<unknown> }) {
  const [file, setFile] = useState<CsvFile>()
  const [problem, setProblem] = useState<string>()
  const [round, setRound] = useState(0)
  const choose = (chosen: File | undefined) => {
    if (chosen === undefined) return
    // What was said of an earlier file, also of one with the same name, is not true of this one.
    setRound((before) => before + 1)
    setProblem(undefined)
    readCsv(chosen).then(setFile, (error: unknown) => {
      setFile(undefined)
      setProblem(`${chosen.name}: ${error instanceof InputError ? error.message : t.unreadable}`)
    })
  }
  const first: Decimal = file?.decimal ?? '.'
  return (
    <DataForm
      key={`${round} ${file?.name}`}
      initial={{ keyColumn: file?.columns[0] ?? '', decimal: first }}
      before={
        <>
          <label className="drop">
            <input
              type="file"
              accept=".csv,text/csv"
              className="vh"
              onChange={({ target }) => {
                choose(target.files?.[0])
                // A file that was corrected has the same name, and is chosen again.
                target.value = ''
              }}
            />
            <span className="btn">{t.choose}</span>
            <span className="t13 i2">{file === undefined ? t.chosen : <bdi className="mono wrap-any">{file.name}</bdi>}</span>
          </label>
          {problem !== undefined && <p role="alert">{problem}</p>}
        </>
      }
      fields={
        file === undefined
          ? []
          : [
              { name: 'keyColumn', label: t.keyColumn, kind: 'select', options: named(file.columns), hint: t.keyColumnHint },
              { name: 'decimal', label: t.decimal, kind: 'select', options: t.decimals },
            ]
      }
      below={({ keyColumn, decimal }) => file !== undefined && <Meaning file={file} keyColumn={keyColumn} decimal={decimal} />}
      send={async ({ keyColumn, decimal }) => {
        if (file === undefined) throw new InputError(t.noFile)
        const { created, replaced } = await send(table, rowsOf(file, keyColumn, decimal))
        toast(t.imported(number(created), number(replaced)))
        await done()
      }}
      label={file === undefined ? t.importFile : t.importing(number(file.lines.length))}
    />
  )
}

const named = (names: readonly string[]) => names.map((name) => [name, name] as const)

/** What the cells of a file are read as, before they are. */
function Meaning({ file, keyColumn, decimal }: { readonly file: CsvFile; readonly keyColumn: string; readonly decimal: Decimal }) {
  const kinds = [...kindsOf(file, keyColumn, decimal)]
  const repeated = repeatedKeys(file, keyColumn)
  return (
    <ul className="t13 i2">
      {(['number', 'boolean', 'text'] as const).map((kind) => {
        const names = kinds.filter(([, found]) => found === kind).map(([name]) => name)
        return (
          names.length > 0 && (
            <li key={kind}>
              {t.kinds[kind]} <bdi>{names.join(', ')}</bdi>
            </li>
          )
        )
      })}
      {repeated > 0 && <li>{t.repeated(number(repeated))}</li>}
    </ul>
  )
}

/** As many as one request takes. */
const rowsAtATime = 1_000
const bytesAtATime = 4 * 1024 * 1024

async function send(table: string, rows: readonly ImportedRow[]): Promise<{ readonly created: number; readonly replaced: number }> {
  const sums = { created: 0, replaced: 0 }
  const batch: ImportedRow[] = []
  let bytes = 0
  const flush = async () => {
    const body = { rows: batch.splice(0), keepsOthers: true }
    const { created, replaced } = await api.tables.importRows({ params: { table }, body })
    sums.created += created
    sums.replaced += replaced
    bytes = 0
  }
  for (const row of rows) {
    batch.push(row)
    bytes += JSON.stringify(row).length
    if (batch.length === rowsAtATime || bytes > bytesAtATime) await flush()
  }
  if (batch.length > 0) await flush()
  return sums
}
