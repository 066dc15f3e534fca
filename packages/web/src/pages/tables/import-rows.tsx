import Papa from 'papaparse'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { t } from '#src/pages/tables/texts.ts'
import { toast } from '#src/ui/toast.tsx'
import { number } from '#src/values/format.ts'
import { type Value, valueOf } from './columns.ts'

interface Read {
  readonly name: string
  readonly columns: readonly string[]
  readonly lines: readonly Readonly<Record<string, string>>[]
}

/** Writes the lines of a CSV file as rows, some hundred at a time. */
export function ImportRows({ table, done }: { readonly table: string; readonly done: () => Promise<unknown> }) {
  const [file, setFile] = useState<Read>()
  const [problem, setProblem] = useState<string>()
  const choose = async (chosen: File | undefined) => {
    if (chosen === undefined) return
    try {
      setFile(read(chosen.name, new TextDecoder('utf-8', { fatal: true }).decode(await chosen.arrayBuffer())))
      setProblem(undefined)
    } catch {
      setFile(undefined)
      setProblem(t.notCsv)
    }
  }
  return (
    <DataForm
      key={file?.name}
      initial={{ keyColumn: file?.columns[0] ?? '', typed: true }}
      before={
        <label className="drop">
          <input type="file" accept=".csv,text/csv" className="vh" onChange={(event) => void choose(event.target.files?.[0])} />
          <span className="btn">{t.choose}</span>
          <span className="t13 i2">{file === undefined ? (problem ?? t.chosen) : <bdi className="mono wrap-any">{file.name}</bdi>}</span>
        </label>
      }
      fields={
        file === undefined
          ? []
          : [
              {
                name: 'keyColumn',
                label: t.keyColumn,
                kind: 'select',
                options: file.columns.map((name) => [name, name]),
                hint: t.keyColumnHint,
              },
              { name: 'typed', label: t.typed, kind: 'switch' },
            ]
      }
      send={async ({ keyColumn, typed }) => {
        if (file === undefined) throw new Error(t.noFile)
        if (file.lines.length === 0) throw new Error(t.noRowsInFile)
        const { created, replaced } = await send(table, rowsOf(file, keyColumn, typed))
        toast(t.imported(number(created), number(replaced)))
        await done()
      }}
      label={t.importing(number(file?.lines.length ?? 0))}
    />
  )
}

/** Commas, semicolons and tabs separate, whichever the file has. */
function read(name: string, text: string): Read {
  const { data, meta, errors } = Papa.parse<Record<string, string>>(text, {
    header: true,
    skipEmptyLines: true,
    transformHeader: (cell) => cell.trim(),
  })
  // A line with other than the usual number of cells is read as far as it goes.
  const broken = errors.find(({ type }) => type === 'Quotes')
  if (broken !== undefined) throw new Error(broken.message)
  return { name, columns: meta.fields ?? [], lines: data }
}

interface ImportedRow {
  readonly key: string
  readonly columns: Readonly<Record<string, Value>>
}

function rowsOf({ lines }: Read, keyColumn: string, typed: boolean): readonly ImportedRow[] {
  return lines.map((line, index) => {
    const key = (line[keyColumn] ?? '').trim()
    if (key === '') throw new Error(t.emptyKey(number(index + 2)))
    const others = Object.entries(line).filter(([name, text]) => name !== keyColumn && name !== '' && typeof text === 'string')
    return { key, columns: Object.fromEntries(others.map(([name, text]) => [name, typed ? valueOf(text) : text])) }
  })
}

/** As many as one request takes. */
const rowsAtATime = 1_000
const bytesAtATime = 4 * 1024 * 1024

async function send(table: string, rows: readonly ImportedRow[]): Promise<{ readonly created: number; readonly replaced: number }> {
  const sums = { created: 0, replaced: 0 }
  const batch: ImportedRow[] = []
  let bytes = 0
  const flush = async () => {
    const { created, replaced } = await api.tables.importRows({ params: { table }, body: { rows: batch.splice(0) } })
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
