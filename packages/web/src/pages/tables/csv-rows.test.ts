import { expect, test } from 'vitest'
import { columnsOf, csvRows, kindIn, type Reading, repeatedKeys, rowsOf } from './csv-rows.ts'

const reading: Reading = { keyColumn: 'id', decimal: '.', placeholders: 'empty' }
const faultsOf = (text: string) => rowsOf(csvRows(text), reading).faults.map(({ at, fault }) => `${at} ${fault}`)

test('all lines that cannot be imported are named at once, each by where it begins in the file', () => {
  const text = ['id,total', 'a,1', '', '"b', 'c",2', ',3', 'd,4,5', `${'x'.repeat(257)},6`, '..,7', `e,${'y'.repeat(65_536)}`, 'f,8'].join(
    '\r\n',
  )
  expect(faultsOf(text)).toEqual(['4 badKey', '6 noKey', '7 cells', '8 longKey', '9 badKey', '10 size'])
  expect(faultsOf('id,total\na,1\n')).toEqual([])
})

test('a quotation mark that is not closed is named with the lines before it', () => {
  expect(faultsOf('id,total\n,1\nb,"2\nc,3\n')).toEqual(['2 noKey', '3 quote'])
})

test('a column of numbers with n/a and - has numbers, and no value there, unless a person keeps these cells', () => {
  const file = csvRows('id,total,paid,code\na,1,true,n/a\nb,n/a,-,x\nc,-,false,y\nd,2,N/A,z\n')
  const kinds = (placeholders: Reading['placeholders']) =>
    [...columnsOf(file, reading)].map(([name, cells]) => `${name} ${kindIn(cells, placeholders)}`)
  expect(kinds('empty')).toEqual(['total number', 'paid boolean', 'code text'])
  expect(kinds('text')).toEqual(['total text', 'paid text', 'code text'])
  expect(rowsOf(file, reading).rows.map(({ columns }) => columns)).toEqual([
    { total: 1, paid: true, code: 'n/a' },
    { code: 'x' },
    { paid: false, code: 'y' },
    { total: 2, code: 'z' },
  ])
  expect(rowsOf(file, { ...reading, placeholders: 'text' }).rows[1]).toEqual({ key: 'b', columns: { total: 'n/a', paid: '-', code: 'x' } })
})

test('a column that has texts because of few cells names the first of them', () => {
  const cells = (text: string) => columnsOf(csvRows(text), reading).get('total')
  expect(cells('id,total\na,1\nb,on request\nc,2\nd,3\ne,4\nf,n/a\n')?.odd).toEqual({ first: 'on request', index: 1, count: 1 })
  expect(cells('id,total\na,1\nb,on request\nc,2\n')?.odd).toBeUndefined()
})

test('keys of several lines are named with their lines', () => {
  const file = csvRows('id,total\na,1\nb,2\n\na,3\nc,4\na,5\n,6\n,7\n')
  expect(repeatedKeys(file, 'id')).toEqual([{ key: 'a', lines: [2, 5, 7] }])
})

test('a second column of a name gets another one', () => {
  expect(csvRows('id,total,total\na,1,2\n')).toMatchObject({
    columns: ['id', 'total', 'total_1'],
    lines: [{ id: 'a', total: '1', total_1: '2' }],
  })
})
