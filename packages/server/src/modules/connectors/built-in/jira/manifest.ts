import {
  filled,
  inBody,
  inPath,
  inQuery,
  neededInBody,
  neededInQuery,
  record,
  text,
  whole,
} from '#modules/connectors/built-in/parameters.ts'

const issueIdOrKey = inPath('Such as SHOP-12.')

/** Source: https://developer.atlassian.com/cloud/jira/platform/rest/v2. The user name is the mail address and the password an API token. */
export const jira = {
  connector: '1.0',
  title: 'Jira',
  servers: ['https://your-site.atlassian.net'],
  authentication: { kind: 'basic' },
  operations: [
    {
      name: 'createIssue',
      summary: 'Creates an issue.',
      method: 'post',
      path: '/rest/api/2/issue',
      parameters: { fields: neededInBody(record, 'With project, issuetype and summary.') },
    },
    {
      name: 'getIssue',
      summary: 'Reads an issue.',
      method: 'get',
      path: '/rest/api/2/issue/{issueIdOrKey}',
      parameters: { issueIdOrKey, fields: inQuery(text(2_000)) },
    },
    {
      name: 'updateIssue',
      summary: 'Changes fields of an issue.',
      method: 'put',
      path: '/rest/api/2/issue/{issueIdOrKey}',
      parameters: { issueIdOrKey, fields: neededInBody(record) },
    },
    {
      name: 'commentOnIssue',
      summary: 'Comments on an issue.',
      method: 'post',
      path: '/rest/api/2/issue/{issueIdOrKey}/comment',
      parameters: { issueIdOrKey, body: neededInBody(filled(32_767)) },
    },
    {
      name: 'listTransitions',
      summary: 'Lists the states to which an issue can go.',
      method: 'get',
      path: '/rest/api/2/issue/{issueIdOrKey}/transitions',
      parameters: { issueIdOrKey },
    },
    {
      name: 'transitionIssue',
      summary: 'Moves an issue to another state.',
      method: 'post',
      path: '/rest/api/2/issue/{issueIdOrKey}/transitions',
      parameters: { issueIdOrKey, transition: neededInBody(record, 'With `id`.'), fields: inBody(record) },
    },
    {
      name: 'searchIssues',
      summary: 'Finds issues by JQL.',
      method: 'get',
      path: '/rest/api/3/search/jql',
      parameters: {
        jql: neededInQuery(filled(10_000)),
        fields: inQuery(text(2_000)),
        maxResults: inQuery(whole(1, 5_000)),
        nextPageToken: inQuery(text(2_000)),
      },
    },
  ],
}
