package policy

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolcrib/toolcrib/host/pool"
)

// protectedFolders hold what other programs run or trust, wherever they are.
var protectedFolders = strings.Fields(".git .toolcrib .claude .codex .vscode .idea .husky .devcontainer .cargo .yarn .ssh .gnupg .aws .azure .kube")

// protectedFiles are read by shells and tools when they start.
var protectedFiles = strings.Fields(`
	.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc
	.tcshrc .login .envrc .gitconfig .gitmodules .mcp.json .npmrc .yarnrc .yarnrc.yml .pypirc .netrc .ripgreprc .inputrc
	.xprofile .xinitrc .xsession .pam_environment authorized_keys`)

// secretFolders and secretFiles hold credentials: reading them asks, too.
var (
	secretFolders = strings.Fields(".ssh .gnupg .aws .azure .kube")
	secretFiles   = strings.Fields(".netrc .pypirc .git-credentials")
)

// openFiles lie in protected folders and are no secret.
var openFiles = strings.Fields("known_hosts config.pub id_rsa.pub id_ed25519.pub id_ecdsa.pub")

// protects tells what is special about a path, or nothing. The case does not
// count, since on some file systems it names the same file.
func protects(path string, access pool.Access, home string) string {
	parts := strings.Split(strings.ToLower(path), "/")
	folders, files := protectedFolders, protectedFiles
	if access == pool.AccessRead {
		folders, files = secretFolders, secretFiles
	}
	for i, part := range parts {
		last := i == len(parts)-1
		switch {
		case access == pool.AccessRead && last && slices.Contains(openFiles, part):
		case slices.Contains(folders, part):
			if part == ".claude" && !last && parts[i+1] == "worktrees" {
				continue
			}
			return "it is in " + part
		case last && slices.Contains(files, part):
			return part + " is read by other programs, or secret"
		}
	}
	return protectedInHome(parts, home)
}

// protectedInHome finds what is special below the home directory alone.
func protectedInHome(parts []string, home string) string {
	path := strings.Join(parts, "/")
	home = strings.ToLower(home)
	if home == "" || !within(home, path) {
		return ""
	}
	below, err := filepath.Rel(home, path)
	if err != nil {
		return ""
	}
	for _, folder := range []string{".docker", ".config/fish", ".config/gcloud", ".config/git", ".config/toolcrib", ".config/autostart", ".config/systemd", ".local/state/toolcrib", "library/launchagents"} {
		if within(folder, below) {
			return "it is in ~/" + folder
		}
	}
	return ""
}
