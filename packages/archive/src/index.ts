export { archiveName, readArchiveFile, type WrittenArchive, writeArchive } from './archive-folder.js'
export { type ArchivedEvent, type ArchiveSource, splitView } from './archive-source.js'
