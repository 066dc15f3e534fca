const owner = { in: 'path', schema: { type: 'string', minLength: 1 }, description: 'Account that owns the repository.' }
const repo = { in: 'path', schema: { type: 'string', minLength: 1 }, description: 'Name of the repository.' }
const issue_number = { in: 'path', schema: { type: 'integer', minimum: 1 } }
const texts = { type: 'array', items: { type: 'string' } }
const issue = '/repos/{owner}/{repo}/issues/{issue_number}'

/** Source: https://docs.github.com/rest. */
export const github = {
  connector: '1.0',
  title: 'GitHub',
  servers: ['https://api.github.com'],
  authentication: { kind: 'bearer' },
  operations: [
    { name: 'getRepository', summary: 'Reads a repository.', method: 'get', path: '/repos/{owner}/{repo}', parameters: { owner, repo } },
    {
      name: 'listIssues',
      summary: 'Lists issues of a repository.',
      method: 'get',
      path: '/repos/{owner}/{repo}/issues',
      parameters: {
        owner,
        repo,
        state: { in: 'query', schema: { enum: ['open', 'closed', 'all'] } },
        labels: { in: 'query', schema: { type: 'string' }, description: 'Names of labels, separated by commas.' },
        per_page: { in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
        page: { in: 'query', schema: { type: 'integer', minimum: 1 } },
      },
    },
    {
      name: 'createIssue',
      summary: 'Opens an issue.',
      method: 'post',
      path: '/repos/{owner}/{repo}/issues',
      parameters: {
        owner,
        repo,
        title: { in: 'body', required: true, schema: { type: 'string', minLength: 1 } },
        body: { in: 'body', schema: { type: 'string' }, description: 'Markdown.' },
        labels: { in: 'body', schema: texts },
        assignees: { in: 'body', schema: texts },
      },
    },
    { name: 'getIssue', summary: 'Reads an issue.', method: 'get', path: issue, parameters: { owner, repo, issue_number } },
    {
      name: 'updateIssue',
      summary: 'Changes, closes or reopens an issue.',
      method: 'patch',
      path: issue,
      parameters: {
        owner,
        repo,
        issue_number,
        title: { in: 'body', schema: { type: 'string' } },
        state: { in: 'body', schema: { enum: ['open', 'closed'] } },
        labels: { in: 'body', schema: texts },
      },
    },
    {
      name: 'commentOnIssue',
      summary: 'Comments on an issue or pull request.',
      method: 'post',
      path: `${issue}/comments`,
      parameters: { owner, repo, issue_number, body: { in: 'body', required: true, schema: { type: 'string', minLength: 1 } } },
    },
    {
      name: 'dispatchEvent',
      summary: 'Starts workflows of GitHub Actions by an event.',
      method: 'post',
      path: '/repos/{owner}/{repo}/dispatches',
      parameters: {
        owner,
        repo,
        event_type: { in: 'body', required: true, schema: { type: 'string', minLength: 1, maxLength: 100 } },
        client_payload: { in: 'body', schema: { type: 'object' } },
      },
    },
  ],
}
