import { filled, inPath, inQuery, neededInBody, neededInQuery, record, text, whole } from '#modules/connectors/built-in/parameters.ts'

const task_gid = inPath()

/** Source: https://developers.asana.com/reference. */
export const asana = {
  connector: '1.0',
  title: 'Asana',
  servers: ['https://app.asana.com'],
  authentication: { kind: 'bearer' },
  operations: [
    {
      name: 'createTask',
      summary: 'Creates a task.',
      method: 'post',
      path: '/api/1.0/tasks',
      parameters: { data: neededInBody(record, 'Such as name, notes, projects and due_on.') },
    },
    { name: 'getTask', summary: 'Reads a task.', method: 'get', path: '/api/1.0/tasks/{task_gid}', parameters: { task_gid } },
    {
      name: 'updateTask',
      summary: 'Changes or completes a task.',
      method: 'put',
      path: '/api/1.0/tasks/{task_gid}',
      parameters: { task_gid, data: neededInBody(record) },
    },
    {
      name: 'listTasks',
      summary: 'Lists tasks of a project.',
      method: 'get',
      path: '/api/1.0/tasks',
      parameters: {
        project: neededInQuery(filled()),
        completed_since: inQuery(text()),
        opt_fields: inQuery(text(2_000)),
        limit: inQuery(whole(1, 100)),
        offset: inQuery(text(2_000)),
      },
    },
    {
      name: 'commentOnTask',
      summary: 'Comments on a task.',
      method: 'post',
      path: '/api/1.0/tasks/{task_gid}/stories',
      parameters: { task_gid, data: neededInBody(record, 'With `text`.') },
    },
  ],
}
