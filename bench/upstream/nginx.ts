/** The service as nginx with Lua. Its responses are prepared, so that the upstream needs little CPU time. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { credentialHeaders } from '../../src/caller.ts';
import {
  documentCount,
  exportAnswer,
  firstDocumentId,
  groupAnswer,
  mexicoRecord,
  scanAnswer,
} from './answers.ts';

/** The version of nginx; undefined when it is missing or has no Lua: then the Node upstream is used. */
export function nginxVersion(): string | undefined {
  try {
    const build = nginxBuild();
    return existsSync(join(modulesPath(build), luaModule)) ? /nginx\/(\S+)/.exec(build)?.[1] : undefined;
  } catch {
    return undefined;
  }
}

const luaModule = 'ngx_http_lua_module.so';

function modulesPath(build: string): string {
  return /--modules-path=(\S+)/.exec(build)?.[1] ?? 'modules';
}

/** `nginx -V` writes to standard error. */
function nginxBuild(): string {
  return execFileSync('sh', ['-c', 'nginx -V 2>&1'], { encoding: 'utf8' });
}

/** Writes configuration and responses into `folder`. Returns the command that serves them in the foreground. */
export function nginxCommand(folder: string, port: number, delayMs: number): string[] {
  mkdirSync(join(folder, 'temp'), { recursive: true });
  const records = Array.from({ length: documentCount }, (_, index) =>
    JSON.stringify(mexicoRecord(firstDocumentId + index)),
  );
  writeFileSync(join(folder, 'mexico.jsonl'), `${records.join('\n')}\n`);
  writeFileSync(join(folder, 'scan.json'), JSON.stringify(scanAnswer()));
  writeFileSync(join(folder, 'export.json'), JSON.stringify(exportAnswer()));
  writeFileSync(join(folder, 'group.json'), JSON.stringify(groupAnswer('@name@')));
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port, delayMs));
  return ['nginx', '-p', `${folder}/`, '-c', 'nginx.conf', '-e', 'stderr'];
}

function configuration(folder: string, port: number, delayMs: number): string {
  const modules = modulesPath(nginxBuild());
  const temp = (kind: string) => `${kind}_temp_path temp/${kind};`;
  return `
load_module ${modules}/ndk_http_module.so;
load_module ${modules}/${luaModule};
daemon off;
master_process off;
pid nginx.pid;
error_log stderr error;
events { worker_connections 4096; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(temp).join('\n  ')}
  keepalive_timeout 600s;
  keepalive_requests 100000000;
  client_max_body_size 0;
  client_body_buffer_size 4m;
  lua_shared_dict calls 64k;
  init_by_lua_block {
    cjson = require "cjson"
    mexico = {}
    local id = ${firstDocumentId}
    for line in io.lines("${folder}/mexico.jsonl") do
      mexico[tostring(id)] = line
      id = id + 1
    end
    local function file(name) return assert(io.open("${folder}/" .. name)):read("*a") end
    scan = file("scan.json")
    export = file("export.json")
    group = file("group.json")
    function answer(body)
      ngx.shared.calls:incr("n", 1, 0)
      ${delayMs > 0 ? `ngx.sleep(${delayMs / 1_000})` : ''}
      if not body then return ngx.exit(404) end
      ngx.header.content_type = "application/json"
      ngx.header.content_length = #body
      ngx.print(body)
    end
    function demand(authorization)
      local headers = ngx.req.get_headers()
      if not headers["${credentialHeaders.apiKey}"] or (authorization and not headers["authorization"]) then ngx.exit(401) end
    end
  }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location /v2/einvoice/mexico/status/ {
      content_by_lua_block {
        demand(true)
        answer(mexico[ngx.var.uri:sub(28)])
      }
    }
    location = /v1/groups {
      content_by_lua_block {
        demand(true)
        ngx.req.read_body()
        local name = cjson.encode(cjson.decode(ngx.req.get_body_data()).name or cjson.null)
        answer((group:gsub('"@name@"', function() return name end)))
      }
    }
    location = /v1/documents/export {
      content_by_lua_block {
        demand(true)
        ngx.req.read_body()
        answer(export)
      }
    }
    location = /v1/documents/scan/nric {
      content_by_lua_block {
        demand(false)
        ngx.req.read_body()
        answer(scan)
      }
    }
    location = /calls {
      content_by_lua_block { ngx.print(ngx.shared.calls:get("n") or 0) }
    }
  }
}
`;
}
