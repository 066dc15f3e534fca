import { filled, inBody, inPath, inQuery, list, neededInBody, record, text, whole } from '#modules/connectors/built-in/parameters.ts'

const id = inPath('Number or path of the project.')
const issue_iid = inPath('Number of the issue in its project.')

/** Source: https://docs.gitlab.com/api/rest. */
export const gitlab = {
  connector: '1.0',
  title: 'GitLab',
  servers: ['https://gitlab.com'],
  authentication: { kind: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN' },
  operations: [
    {
      name: 'createIssue',
      summary: 'Creates an issue.',
      method: 'post',
      path: '/api/v4/projects/{id}/issues',
      parameters: {
        id,
        title: neededInBody(filled(255)),
        description: inBody(text(1_000_000)),
        labels: inBody(text(2_000), 'With commas between them.'),
        assignee_ids: inBody(list(100, whole(1, 2_147_483_647))),
      },
    },
    {
      name: 'listIssues',
      summary: 'Lists issues.',
      method: 'get',
      path: '/api/v4/projects/{id}/issues',
      parameters: {
        id,
        state: inQuery({ enum: ['opened', 'closed', 'all'] }),
        labels: inQuery(text(2_000)),
        search: inQuery(text()),
        per_page: inQuery(whole(1, 100)),
        page: inQuery(whole(1, 100_000)),
      },
    },
    {
      name: 'updateIssue',
      summary: 'Changes, closes or reopens an issue.',
      method: 'put',
      path: '/api/v4/projects/{id}/issues/{issue_iid}',
      parameters: {
        id,
        issue_iid,
        title: inBody(text(255)),
        description: inBody(text(1_000_000)),
        labels: inBody(text(2_000)),
        state_event: inBody({ enum: ['close', 'reopen'] }),
      },
    },
    {
      name: 'commentOnIssue',
      summary: 'Comments on an issue.',
      method: 'post',
      path: '/api/v4/projects/{id}/issues/{issue_iid}/notes',
      parameters: { id, issue_iid, body: neededInBody(filled(1_000_000)) },
    },
    {
      name: 'runPipeline',
      summary: 'Starts a pipeline.',
      method: 'post',
      path: '/api/v4/projects/{id}/pipeline',
      parameters: { id, ref: neededInBody(filled()), variables: inBody(list(100, record)) },
    },
  ],
}
