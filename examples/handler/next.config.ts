/** The gateway is loaded as it is: a bundler would have to follow what it loads only when it is configured. */
export default { serverExternalPackages: ['folio'] };
