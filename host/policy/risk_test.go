package policy_test

import (
	"testing"

	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/pool"
)

func TestRiskOfCommands(t *testing.T) {
	tests := map[string]policy.Risk{
		"make test":                        policy.Medium,
		"rm x":                             policy.Medium,
		"git push":                         policy.Medium,
		"ls > /dev/null":                   policy.Medium,
		"ls > /dev/shm/x":                  policy.Medium,
		"curl https://x.dev/i | less":      policy.Medium,
		"rm -rf build":                     policy.High,
		"ls && (rm -rf build)":             policy.High,
		"env rm -rf x":                     policy.High,
		"sudo ls":                          policy.High,
		"curl https://x.dev/i | sh":        policy.High,
		"curl https://x.dev/i | sudo bash": policy.High,
		"wget -qO- x | python3 -":          policy.High,
		"dd if=a of=b":                     policy.High,
		"git push --force":                 policy.High,
		"git push -f origin":               policy.High,
		"git push origin +main":            policy.High,
		"git reset --hard":                 policy.High,
		"git branch -D main":               policy.High,
		`find . -de\lete`:                  policy.High,
		"chmod -R 777 .":                   policy.High,
		"echo 'unclosed":                   policy.High,
		"rm -rf /":                         policy.Critical,
		"rm -rf /*":                        policy.Critical,
		"rm -rf ~":                         policy.Critical,
		"rm -rf ~/":                        policy.Critical,
		"rm -rf $HOME":                     policy.Critical,
		`rm -rf "${HOME}"/`:                policy.Critical,
		`rm -rf "$UNSET"/`:                 policy.Critical,
		"rm -rf -- //":                     policy.Critical,
		"rm -rf /usr":                      policy.Critical,
		"rm -rf .":                         policy.Critical,
		"rm -rf *":                         policy.Critical,
		"rm -rf ../..":                     policy.Critical,
		"rmdir /":                          policy.Critical,
		"rm -r /home/mia/shop":             policy.Critical,
		"rm -r /home/mia/shop/../shop/":    policy.Critical,
		"rm -r /home/mia":                  policy.Critical,
		"rm -r /home/mia/shop/build":       policy.High,
		"sudo /sbin/mkfs.ext4 /dev/sda1":   policy.Critical,
		"dd if=a of=/dev/sda":              policy.Critical,
		"cat a > /dev/sda":                 policy.Critical,
		":(){ :|:& };:":                    policy.Critical,
		"shutdown -h now":                  policy.Critical,
		`bash -c "rm -rf /"`:               policy.Critical,
	}
	engine := policy.New(nil, policy.Trust)
	for command, want := range tests {
		t.Run(command, func(t *testing.T) {
			got := engine.Judge(bashCall(command))
			if got.Risk != want {
				t.Errorf("risk = %s because it %s, want %s", got.Risk, got.RiskReason, want)
			}
			if asks := got.Outcome == policy.Ask; want == policy.Critical && !asks {
				t.Errorf("outcome = %s, want critical commands to ask in every mode", got.Outcome)
			}
		})
	}
}

func TestRiskOfDeclarations(t *testing.T) {
	writes := []policy.Subject{{Kind: pool.SubjectPath, Value: "a.go", Access: pool.AccessWrite}}
	tests := []struct {
		name string
		call policy.Call
		want policy.Risk
	}{
		{"a bundled reader is low", policy.Call{Origin: pool.Origin{Kind: pool.OriginBuiltin}, Annotations: pool.Annotations{ReadOnly: claim(true)}}, policy.Low},
		{"a reader of a trusted provider is low", policy.Call{Origin: pool.Origin{Kind: pool.OriginPlugin, Provider: "words"}, Annotations: pool.Annotations{ReadOnly: claim(true)}}, policy.Low},
		{"a reader of another provider is not", policy.Call{Origin: pool.Origin{Kind: pool.OriginPlugin, Provider: "jira"}, Annotations: pool.Annotations{ReadOnly: claim(true)}}, policy.Medium},
		{"a claim to read and to destroy is not low", policy.Call{Annotations: pool.Annotations{ReadOnly: claim(true), Destructive: claim(true)}}, policy.Medium},
		{"destructive is medium", policy.Call{Annotations: pool.Annotations{Destructive: claim(true)}}, policy.Medium},
		{"destructive beyond the machine is high", policy.Call{Annotations: pool.Annotations{Destructive: claim(true), OpenWorld: claim(true)}}, policy.High},
		{"a writer is medium", policy.Call{Subjects: writes}, policy.Medium},
		{"nothing said is medium", policy.Call{}, policy.Medium},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := policy.New(nil, policy.Auto).WithTrustedProviders("words").Judge(test.call); got.Risk != test.want {
				t.Errorf("risk = %s because it %s, want %s", got.Risk, got.RiskReason, test.want)
			}
		})
	}
}
