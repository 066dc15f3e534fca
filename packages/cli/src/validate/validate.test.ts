import { describe, expect, test } from 'vitest'
import { createFolder, runCli } from '#testing/cli.ts'

const right = `document: { dsl: 1.0.3, namespace: test, name: right, version: 1.0.0 }
do:
  - greet:
      set: { message: '\${ "Hello, " + .name }' }
`

const wrong = `document:
  dsl: 1.0.3
  namespace: test
  name: wrong
  version: 1.0.0
do:
  - ask:
      call: http
      with:
        methd: get
        endpoint: https://example.com
  - count:
      set: { total: '\${ .a + }' }
`

const unsupported = `document: { dsl: 1.0.3, namespace: test, name: shell, version: 1.0.0 }
do:
  - list:
      run:
        shell: { command: ls }
`

describe('millrace validate', () => {
  test('a valid definition is reported as valid and ends with 0', async () => {
    await using folder = await createFolder({ 'right.yaml': right })
    expect(await runCli(['validate', 'right.yaml'], { cwd: folder.path })).toEqual({
      exitCode: 0,
      stdout: 'right.yaml: valid\n',
      stderr: '',
    })
  })

  test('every mistake is shown with position, source, caret and hint, and ends with 1', async () => {
    await using folder = await createFolder({ 'wrong.yaml': wrong })
    const { exitCode, stdout } = await runCli(['validate', 'wrong.yaml'], { cwd: folder.path })
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^wrong\.yaml:10:9: error: .*methd.* \(unknown_property\)$/m)
    expect(stdout).toContain('  10 |         methd: get\n     |         ^^^^^\n')
    expect(stdout).toMatch(/hint: .*method/)
    expect(stdout).toMatch(/^wrong\.yaml:13:\d+: error: .* \(invalid_expression\)$/m)
    expect(stdout).toMatch(/\d errors\n$/)
  })

  test('a valid definition with a cron expression shows its zone and its next start', async () => {
    const scheduled = right.replace(/^do:/m, "schedule: { cron: '0 6 * * *' }\ndo:")
    const { stdout } = await runCli(['validate', '-'], { stdin: scheduled })
    expect(stdout).toMatch(/^<standard input>: valid\n {2}starts by "0 6 \* \* \*" in UTC, next \d{4}-\d\d-\d\dT06:00:00Z\n$/)
  })

  test('JSON is validated, too', async () => {
    const text = JSON.stringify(
      { document: { dsl: '1.0.3', namespace: 'test', name: 'j', version: '1.0.0' }, do: [{ a: { sett: {} } }] },
      null,
      2,
    )
    await using folder = await createFolder({ 'j.json': text })
    const { exitCode, stdout } = await runCli(['validate', 'j.json'], { cwd: folder.path })
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^j\.json:\d+:\d+: error: /)
  })

  test('a valid definition that this release cannot run is reported', async () => {
    await using folder = await createFolder({ 'shell.yaml': unsupported })
    const { exitCode, stdout } = await runCli(['validate', 'shell.yaml'], { cwd: folder.path })
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^shell\.yaml:5:9: error: This installation cannot run shell commands yet\..* \(unsupported_feature\)$/m)
  })

  test('a text that is not YAML is reported with the position of the mistake', async () => {
    await using folder = await createFolder({ 'broken.yaml': 'document: { dsl: 1.0.3\ndo: [' })
    const { exitCode, stdout } = await runCli(['validate', 'broken.yaml'], { cwd: folder.path })
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^broken\.yaml:\d+:\d+: error: .* \(syntax_error\)$/m)
  })

  test('an empty file is reported, not accepted', async () => {
    await using folder = await createFolder({ 'empty.yaml': '' })
    expect((await runCli(['validate', 'empty.yaml'], { cwd: folder.path })).exitCode).toBe(1)
  })

  test('a definition can be read from standard input', async () => {
    expect((await runCli(['validate', '-'], { stdin: right })).stdout).toBe('<standard input>: valid\n')
    expect((await runCli(['validate', '-'], { stdin: wrong })).stdout).toMatch(/^<standard input>:10:9: error/)
  })

  test('many files are validated, each reported and all counted', async () => {
    await using folder = await createFolder({ 'right.yaml': right, 'wrong.yaml': wrong })
    const { exitCode, stdout } = await runCli(['validate', 'right.yaml', 'wrong.yaml'], { cwd: folder.path })
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^right\.yaml: valid\n/)
    expect(stdout).toMatch(/errors in 2 files\n$/)
  })

  test('--quiet prints nothing about files without problems', async () => {
    await using folder = await createFolder({ 'right.yaml': right, 'wrong.yaml': wrong })
    expect(await runCli(['validate', '--quiet', 'right.yaml'], { cwd: folder.path })).toMatchObject({ exitCode: 0, stdout: '' })
    expect((await runCli(['validate', '-q', 'right.yaml', 'wrong.yaml'], { cwd: folder.path })).stdout).not.toContain('valid\n')
  })

  test('--json prints every diagnostic in full, with the same exit code', async () => {
    await using folder = await createFolder({ 'right.yaml': right, 'wrong.yaml': wrong })
    const { exitCode, stdout, stderr } = await runCli(['validate', '--json', 'right.yaml', 'wrong.yaml'], { cwd: folder.path })
    expect(exitCode).toBe(1)
    expect(stderr).toBe('')
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({
      valid: false,
      files: [
        { file: 'right.yaml', valid: true, diagnostics: [] },
        { file: 'wrong.yaml', valid: false },
      ],
    })
    expect(report.files[1].diagnostics).toContainEqual(
      expect.objectContaining({ code: 'unknown_property', severity: 'error', pointer: '/do/0/ask/with/methd', line: 10, column: 9 }),
    )
  })

  test('a missing file and a directory are wrong usage and named', async () => {
    await using folder = await createFolder()
    const missing = await runCli(['validate', 'nowhere.yaml'], { cwd: folder.path })
    expect(missing).toMatchObject({ exitCode: 2, stdout: '' })
    expect(missing.stderr).toMatch(/^error: nowhere\.yaml: there is no such file/)
    const directory = await runCli(['validate', folder.path])
    expect(directory.exitCode).toBe(2)
    expect(directory.stderr).toContain('is a directory')
  })
})
