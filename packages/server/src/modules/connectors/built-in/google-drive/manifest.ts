import { filled, inBody, inPath, inQuery, list, neededInBody, text, whole } from '#modules/connectors/built-in/parameters.ts'

const fileId = inPath()

/** Source: https://developers.google.com/workspace/drive/api. */
export const googleDrive = {
  connector: '1.0',
  title: 'Google Drive',
  servers: ['https://www.googleapis.com'],
  authentication: { kind: 'bearer' },
  operations: [
    {
      name: 'listFiles',
      summary: 'Finds files.',
      method: 'get',
      path: '/drive/v3/files',
      parameters: {
        q: inQuery(text(5_000), "Such as name contains 'invoice'."),
        fields: inQuery(text(2_000)),
        orderBy: inQuery(text()),
        pageSize: inQuery(whole(1, 1_000)),
        pageToken: inQuery(text(2_000)),
      },
    },
    {
      name: 'getFile',
      summary: 'Reads what is known about a file.',
      method: 'get',
      path: '/drive/v3/files/{fileId}',
      parameters: { fileId, fields: inQuery(text(2_000)) },
    },
    {
      name: 'createFolder',
      summary: 'Creates a folder, or another file without content.',
      method: 'post',
      path: '/drive/v3/files',
      parameters: {
        name: neededInBody(filled()),
        mimeType: neededInBody(filled(), 'application/vnd.google-apps.folder for a folder.'),
        parents: inBody(list(1, text())),
      },
    },
    {
      name: 'copyFile',
      summary: 'Copies a file, such as a template.',
      method: 'post',
      path: '/drive/v3/files/{fileId}/copy',
      parameters: { fileId, name: inBody(text()), parents: inBody(list(1, text())) },
    },
    {
      name: 'share',
      summary: 'Gives a person access to a file.',
      method: 'post',
      path: '/drive/v3/files/{fileId}/permissions',
      parameters: {
        fileId,
        role: neededInBody({ enum: ['reader', 'commenter', 'writer'] }),
        type: neededInBody({ enum: ['user', 'group', 'domain', 'anyone'] }),
        emailAddress: inBody(text()),
        domain: inBody(text()),
      },
    },
  ],
}
