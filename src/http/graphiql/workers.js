// Monaco loads its workers by label; each is a file of this origin.
self.MonacoEnvironment = {
  globalAPI: false,
  getWorkerUrl: (_moduleId, label) => `/graphiql/${label}.worker.js`,
};
