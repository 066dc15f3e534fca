import { createClient } from '@millrace/client'
import { groups } from '@millrace/contract'
import { startGitServer } from '@millrace/server/testing/git-server'
import { expect, test } from 'vitest'
import { password } from './browser.ts'
import { findingsInBoth, inBrowser, press } from './in-browser.ts'

const doubles = 'document: { dsl: 1.0.3, namespace: e2e, name: double, version: 1.0.0 }\ndo:\n- twice: { set: { result: "${ .n * 2 }" } }\n'
const file = 'workflows/double.yaml'

inBrowser('repositories in a browser', (stage) => {
  test('existing workflows go into a repository in the name of the person, and the audit log names both', async () => {
    await using git = await startGitServer()
    const { page, email, end } = await stage.registered()
    const session = await stage.server.client.auth.login({ body: { email, password } })
    if (!('accessToken' in session)) throw new Error('a second step is missing')
    const client = createClient({ baseUrl: stage.server.url, groups, token: session.accessToken })
    await client.workflows.create({ body: { definition: doubles } })
    await client.git.create({ body: { url: git.url } })
    await page.goto(`${stage.server.url}/git`)
    await press(page, 'Add workflows')
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('Which workflows').selectOption('chosen')
    await sheet.getByLabel('Find by name').fill('DOUB')
    await sheet.getByRole('checkbox', { name: 'double' }).check()
    expect(await findingsInBoth(page)).toEqual([])
    await sheet.getByRole('button', { name: 'Push' }).click()
    await sheet.getByText(file).waitFor()
    expect(await git.read(file)).toBe(doubles)
    await git.git('fetch', '--quiet', git.bare, 'main')
    expect(await git.git('log', '-1', '--format=%ae', 'FETCH_HEAD')).toBe(email)
    await page.goto(`${stage.server.url}/audit?q=double`)
    await page.getByRole('button', { name: 'published double (version 1)' }).click()
    expect(await findingsInBoth(page)).toEqual([])
    await sheet.getByText('Details as recorded').click()
    await sheet.getByText('"workflow.created"').waitFor()
    expect(await end(page)).toEqual([])
  })
})
